"""Battles on the table: a pure engine that knows the mission, keeps clock, score and secrets, and rolls the dice.

A game is mission data, two armies and the acts so far; its state is the fold of the acts. What may be done now comes
from the code that checks it. Missions are data: they switch on rules and give them their figures.

================================================ ===================================================================
``fold``                                          begin, submit, open_for: start here
``game`` ``clock``                                the state that acts and rules change; stages, rounds, turns, phases
``act`` ``rule`` ``choices``                      what an act is, what a rule may be asked, what ``open`` offers
``registry``                                      all rules that missions may name, all acts
``mission`` ``reader``                            a mission, and how its file is read
``beginning`` ``battle``                          how a game begins, and by which version; a battle of the campaign
``reading`` ``refusals``                          reading JSON by declaration; what may be wrong with an act
``units`` ``dice_log``                            units, dice by label
``view``                                          what a player may know: the only way out
``geometry``                                      points and polygons, exact
``every_game``                                    ``end_phase``, ``confirm``, ``go_on``, ``object``, ``take_back``
``awaiting``                                      whose tap is awaited, what for, what else is open to each
``command_points`` ``reminders``                  the ledger of CP; what is the players' own business
``combat_patrol``                                 Combat Patrol missions: a package, as all that follow
``narrative``                                     narrative missions and their stratagems
``patrol``                                        the Patrol phase and jump-off points
``normal_battle``                                 a battle of the campaign (6.2)
``solo``                                          the opponent that the dice play
================================================ ===================================================================
"""
