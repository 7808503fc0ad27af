"""A reader's view of a campaign, now and earlier.

================ ================================================================
``positions``    a reader's position and legal orders now; chances in a battle
``history``      the same of every past phase
``reads``        reader, viewer and current position: one statement; cached bytes
``view_changes`` what is new in a view since one that its reader has
================ ================================================================
"""
