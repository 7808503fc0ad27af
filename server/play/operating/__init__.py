"""For the server's operators.

==================================== ==================================================================================
``campaign_overview`` ``user_admin`` campaigns, accounts
``administration``                   for admins on a page: state of the server, what waits, failures, reports of people
``example``                          a campaign of computer players for visitors to watch
==================================== ==================================================================================
"""
