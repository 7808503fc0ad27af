"""Messages between players, and their stories of battles.

========================== ==================================================
``messages``               letters, announcements, declarations
``chronicle`` ``pictures`` players' stories of their battles, with pictures
``notebook``               private notes of turns and pins on the map
========================== ==================================================
"""
