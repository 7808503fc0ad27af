"""What someone may know now.

============================= =====================================================================
``positions`` ``odds``        what one may know now, and may order; chances in a battle
``history``                   the same of every past phase
``reads``                     as whom someone reads and what is current: one statement; kept bytes
``view_changes``              what is new in a view since one that its reader has
============================= =====================================================================
"""
