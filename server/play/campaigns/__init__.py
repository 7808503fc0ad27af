"""Campaigns and their seats, from the idea to the first phase.

================================= =========================================================================
``campaigns`` ``seats``           create, change, pause, finish, delete; seats and their players
``campaign_info`` ``lobby``       a campaign and its seats as someone sees them; the same with its ruleset
``campaign_search`` ``dashboard`` campaigns page by page; what my campaigns need from me
``holidays``                      how long players are away, and how much of it a campaign allows
``takeover``                      seats that change hands once the campaign has started
``votes`` ``agreement``           votes on the end; what an end by agreement makes of the position
``campaign_start``                players, first dice, record 0, the Setup phase
``mail_invitations``              asking someone by their mail address
``solo`` ``practice``             alone against computer players: a campaign; from a position the player can read
``play_on``                       a public record continued as a new campaign, with dice of its own
``catalog``                       the scenarios and rulesets of the server
``own_maps``                      own scenarios and rulesets, checked together
================================= =========================================================================
"""
