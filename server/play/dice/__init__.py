"""Where a campaign's dice come from, and what the server signs.

=============================== ======================================================
``phase_dice``                  links, seeds and keys
``salts`` ``salt_keeping``      the salts of one's seat; where salts lie
``receipts`` ``receipt_checks`` what the server signs; receipts compared with a record
=============================== ======================================================
"""
