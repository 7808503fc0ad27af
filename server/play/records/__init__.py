"""The record of a campaign: its phases, chained, and where it stands.

============== ===================================================================================================
``records``    the record and its chain; where a campaign stands; interventions; sealed after the end, then public
``phase_dice`` links, seeds and keys of a phase
============== ===================================================================================================
"""
