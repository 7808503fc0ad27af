"""People and everything they play: guests who come and go, accounts that close, one's own data.

==================== ============================================================
``guests``           accounts without credentials, kept or ended
``account_closing``  an account closed for good
``own_data``         one's own data as a file
==================== ============================================================
"""
