"""Accounts: who people are, how they sign in, and what they keep from each other.

========================================= ==========================================================================
``accounts`` ``passwords``                sign-up, sign-in, bots; how many passwords are checked at a time
``tokens``                                secrets people sign in with, and links; who is banned or not let in yet
``links``                                 what a link that was sent by mail does
``names``                                 names that look like others'
``second_factor`` ``second_factor_setup`` codes of an authenticator app; setting that up, proving whose a session is
``proof``                                 whether a session has proved that lately
``blocking``                              people one wants nothing of, reports of them
========================================= ==========================================================================
"""
