"""Computer players in a campaign that is kept.

================================== ================================================
``computer_players``               what they remember of a campaign, their postures
``computer_letters`` ``giving_up`` their letters; when they give up (P-37)
================================== ================================================
"""
