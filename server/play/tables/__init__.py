"""The use cases of battles on the table: two sides, one referee, whatever devices.

===================== =============================================================================================
``access``            rights at a table game
``setting_up``        a game made, changed, deleted before its start
``seats``             joining and leaving; armies; commitments and salts of the dice
``armies``            armies read, saved, taken from samples, detachments and lines by hand
``missions``          the missions of the program, of an account, of a campaign
``starting``          the seed is made and the referee begins
``folding``           games as the referee has them, kept in this process
``acts``              an act accepted, kept, told; the clocks stopped
``reading``           the state of a game, now or earlier, also as both sides together knew it; its log and picture
``info``              a game as someone may know it, its acts left out; the user's own games
``battle_facts``      what a campaign's battle brings to its table: facts, and armies as they take the field
``battle_opening``    its game opened with its phase and closed; what waits for it; games that close automatically
``battle_agreements`` both agree on a mission, a date and a place; dates for calendar programs
``telling``           telling the devices that there is something new; who is there
===================== =============================================================================================
"""
