"""People and everything they play: guests who come and go, accounts that close, a user's own data.

==================== ============================================================
``guests``           accounts without credentials, kept or ended
``account_closing``  an account closed for good
``own_data``         a user's own data as a file
==================== ============================================================
"""
