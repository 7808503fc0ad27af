"""Resolving a phase, once.

======================================== ====================================================================
``resolution``                           resolves a phase, or those of several campaigns together
``resolution_rows`` ``resolution_input`` what a resolution reads, in few statements; what goes into the phase
``engine`` ``version``                   the call of the rules, and their version; order sets checked as they came in
``phase_writing``                        what comes out
``phase_opening``                        the next phase, with what seats have prepared for it
======================================== ====================================================================
"""
