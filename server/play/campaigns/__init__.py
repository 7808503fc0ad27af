"""Campaigns and their seats, from the idea to the first phase.

======================= ==============================================================================================
``campaigns`` ``seats`` create, change, pause, finish, delete; seats and their players
``campaign_info``       a campaign and its seats as someone sees them, also with its scenario and ruleset
``dashboard``           what my campaigns need from me; finding campaigns, page by page
``holidays``            how long players are away, and how much of it a campaign allows
``takeover``            seats that change hands once the campaign has started
``votes``               votes on the end; what an end by agreement makes of the position
``campaign_start``      players, first dice, record 0, the Setup phase
``mail_invitations``    asking someone by their mail address
``practice``            alone against computer players; from a position the player can read; a public record played on
``outcome``             how a campaign ended
``catalog``             the scenarios and rulesets of the server; own ones, checked together
======================= ==============================================================================================
"""
