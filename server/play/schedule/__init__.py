"""Automatic work and its times.

========================== ===================================================================
``ticker`` ``due``         work at its due time; due phases, and the worker that takes each
``warnings``               warnings before a deadline
``downtime``               grace for times in which no server was running
``calendar``               deadlines and battles for a calendar program
``cleanup``                deletion of old data
========================== ===================================================================
"""
