"""What happens by itself, and when.

========================== ===================================================================
``ticker`` ``due``         what comes due by itself; due phases, and who takes them
``warnings``               warnings before a deadline
``downtime``               what is made of time in which no server looked
``calendar``               deadlines and battles for a calendar program
``cleanup``                what is too old to be kept
========================== ===================================================================
"""
