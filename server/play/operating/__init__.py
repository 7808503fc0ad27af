"""For the server's operators.

==================================== ========================================================================
``campaign_overview`` ``user_admin`` campaigns, accounts
``administration``                   for admins on a page: how the server stands, failures, reports of people
``waiting``                          figures of what waits
``example``                          a campaign of computer players for visitors to watch
==================================== ========================================================================
"""
