"""The opponent that the dice play: posture and solo scenarios.

==============================  ===============================
``posture`` ``solo_scenarios``  the opponent that the dice play
==============================  ===============================
"""
