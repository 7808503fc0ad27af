"""Computer players against each other, many times: who is better, and which starts and factions are.

============== ==================================================================
``contestants`` who plays: a level of the computer player, a baseline, a function of one's own
``maps``       the maps, by id or path
``schedule``   the games: maps, seats in every rotation, factions
``game``       one game, in memory
``ratings``    shares of wins with intervals, Elo
``standings``  the table of a tournament
``running``    all games, on all cores
``fairness``   whether the starts of a map win equally often
============== ==================================================================
"""
