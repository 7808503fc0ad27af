"""Resolving a phase, once.

======================================== ====================================================================
``resolution``                           resolves a phase, or those of several campaigns together
``resolution_rows`` ``resolution_input`` what a resolution reads, in few statements; what goes into the phase
``engine`` ``version``                   the call of the rules, and their version
``checked``                              order sets that were checked as they came in
``phase_writing`` ``phase_opening``      what comes out; the next phase
``prepared_orders``                      what seats have prepared for it: orders in advance, repeated orders
======================================== ====================================================================
"""
