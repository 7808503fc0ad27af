"""Where a campaign's dice come from, and what the server signs.

========================== ========================================================
``salts`` ``salt_keeping`` the salts of a user's seat; where salts are stored
``receipts``               what the server signs; each receipt names the one before
========================== ========================================================
"""
