"""The record of a campaign: its phases, chained, and where it stands.

=============== ========================================================================
``records``     the record and its chain; what someone knows at a record; interventions
``pointer``     where a campaign stands, in its own row; the deadline of its open phase
``phase_dice``  links, seeds and keys of a phase
``sealing``     the record after the end: sealed, then public
=============== ========================================================================
"""
