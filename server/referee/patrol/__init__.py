"""The Patrol phase and its jump-off points (section 3 of the table readings).

======================================  ============================
``patrol_phase`` ``patrol_moves``       the Patrol phase
``jump_off_points`` ``jump_off_zones``  jump-off points
``wedges`` ``cover``                    the ground they may stand on
======================================  ============================
"""
