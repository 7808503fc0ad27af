"""Computer players in a stored campaign.

================================== ================================================
``computer_players``               what they remember of a campaign, their postures
``computer_letters`` ``giving_up`` their letters; when they give up (P-37)
================================== ================================================
"""
