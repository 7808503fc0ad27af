"""The record of a campaign: every past phase, checked and shown.

====================================== ========================================================================
``records``                            the record and its chain; what someone knows at a record; interventions
``pointer``                            where a campaign stands, in its own row
``history`` ``replay``                 every past phase; a record as pictures and events, phase by phase
``sealing``                            the record after the end: sealed, then public
``record_files`` ``record_import``     a campaign as one file; reading it in again
``record_rows``                        its events and snapshots, as every version has written them
``verification`` ``verification_rows`` checks of a record: chain, dice, states; its rows
====================================== ========================================================================
"""
