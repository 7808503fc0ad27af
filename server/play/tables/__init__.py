"""The use cases of battles on the table: two sides, one referee, whatever devices.

=================== ================================================================================================
``access``          rights at a table game
``setting_up``      a game made, changed, deleted before its start
``seats``           joining and leaving; armies; commitments and salts of the dice
``armies``          armies read, saved, taken from samples and detachments
``army_lines``      an army as a dozen lines by hand
``missions``        the missions of the program, of an account, of a campaign
``starting``        the seed is made and the referee begins
``folding``         games as the referee has them, kept in this process
``acts``            an act accepted, kept, told
``reading``         the state of a game, now or earlier, also as both sides together knew it; its log and picture
``auto_close``  results nobody has spoken against for a week
``listing``         the user's own games
``info``            a game as someone may know it, its acts left out
``battle_facts``    what a campaign's battle brings to its table: facts and armies, each from what its side may know
``battle_armies``   its armies as they take the field: models moved together, who is strong enough
``battle_opening``  its game is opened with the phase that awaits the result, and closed with it
``battle_info``     whose it is, what is proposed and agreed
``battle_agreements`` both agree on a mission, a date and a place
``battle_meeting``  agreed dates for calendar programs
``battle_waiting``  a phase waits for a battle that is being played
``telling``         telling the devices that there is something new
=================== ================================================================================================
"""
