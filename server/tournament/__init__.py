"""Computer players against each other, many times: who is better, and which starts and factions are.

============== ==================================================================
``contestants`` the players: a level of the computer player, a baseline, your own function
``schedule``   the games: maps, seats in every rotation, factions
``game``       one game, in memory; the maps, by id or path
``ratings``    shares of wins with intervals, Elo
``standings``  the table of a tournament
``running``    all games, on all cores
``fairness``   whether the starts of a map win equally often
============== ==================================================================
"""
