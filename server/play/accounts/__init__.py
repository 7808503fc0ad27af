"""Accounts: who people are, how they sign in, and what they keep from each other.

========================================= =========================================================================
``accounts`` ``passwords`` ``tokens``     sign-up, sign-in, bots; how many passwords are checked at a time; secrets
``links`` ``link_tokens``                 links sent by mail, and their rows
``holds``                                 accounts that are banned for a time, or not let in yet
``guests``                                accounts without credentials, kept or ended
``names`` ``account_closing``             names that look like others'; an account closed for good
``second_factor`` ``second_factor_setup`` codes of an authenticator app; switching that on and off
``blocking`` ``own_data``                 people one wants nothing of, reports of them; one's own data as a file
========================================= =========================================================================
"""
