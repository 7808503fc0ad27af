"""The Patrol phase and its jump-off points (section 3 of the table readings).

======================================  ==========================
``patrol_phase``                        the Patrol phase
``jump_off_points`` ``jump_off_zones``  jump-off points
``ground``                              where they may stand
======================================  ==========================
"""
