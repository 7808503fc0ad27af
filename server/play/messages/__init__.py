"""What players write to each other and about their battles.

========================== ==================================================
``messages``               letters, announcements, declarations
``chronicle`` ``pictures`` what players write of their battles, with pictures
``notebook``               notes of turns and pins in the map, for oneself
========================== ==================================================
"""
