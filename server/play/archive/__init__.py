"""A campaign as one file: written, read in again, and verified from its contents alone.

================================== ============================================================================
``record_files`` ``record_import`` a campaign as one file, as every version has written it; reading it in again
``replay``                         a record as pictures and events, phase by phase
``verification``                   checks of a record: chain, dice, states
``verification_rows``              checks of a record: its rows, and what must be there, once and in order
``receipt_checks``                 receipts compared with a record
``table_record``                   a game on the table as one file; checking it offline
================================== ============================================================================
"""
