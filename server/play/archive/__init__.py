"""A campaign as one file: written, read in again, and verified from its contents alone.

====================================== ==================================================================
``record_files`` ``record_import``     a campaign as one file; reading it in again
``record_rows``                        its events and snapshots, as every version has written them
``replay``                             a record as pictures and events, phase by phase
``verification`` ``verification_rows`` checks of a record: chain, dice, states; its rows
``verification_shape``                 checks of a record: what must be there, once and in order
``receipt_checks``                     receipts compared with a record
``table_record``                       a game on the table as one file; checking it offline
====================================== ==================================================================
"""
