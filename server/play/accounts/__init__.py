"""Accounts: who people are, how they sign in, and what they keep from each other.

========================================= =========================================================================
``accounts`` ``passwords`` ``tokens``     sign-up, sign-in, bots; how many passwords are checked at a time; secrets
``links`` ``link_tokens``                 links sent by mail, and their rows
``holds``                                 accounts that are banned for a time, or not let in yet
``names``                                 names that look like others'
``second_factor`` ``second_factor_setup`` codes of an authenticator app; switching that on and off
``open_bots``                             bots that are open to games
``blocking``                              people one wants nothing of, reports of them
========================================= =========================================================================
"""
