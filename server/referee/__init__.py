"""Battles on the table: a pure engine that knows the mission, keeps clock, score and secrets, and rolls the dice.

A game is mission data, two armies and the acts so far; its state is the fold of the acts. What may be done now comes
from the code that checks it. Missions are data: they switch on rules and give them their figures.

=============================================== ====================================================================
``fold``                                         begin, submit, open_for: start here
``game`` ``clock``                               the state that acts and rules change; stages, rounds, turns, phases
``act`` ``rule`` ``choices``                     what an act is, what a rule may be asked, what ``open`` offers
``registry``                                     all rules that missions may name, all acts
``mission`` ``reader``                           a mission, and how its file is read
``beginning`` ``standing``                       how a game begins, also in the middle
``reading`` ``refusals``                         reading JSON by declaration; what may be wrong with an act
``units`` ``markers`` ``faces``                  units, objective markers, dice by label
``view``                                         what a player may know: the only way out
``geometry`` ``convex``                          points and polygons, exact
``ending_phases`` ``agreement``                  ``end_phase``; what both must want
``objections`` ``taking_back``                   objecting to a report; taking acts back
``command_points`` ``scoring`` ``wiped_out``     the ledgers of CP and VP, who has won, who is out
``selecting`` ``roles`` ``formations``           Combat Patrol before the battle: armies, mission, sides, formations
``deployment`` ``arrivals``                      setting up, Reserves, losses
``control`` ``chosen_markers`` ``claims``        who controls markers; recovering, razing, claiming
``drawn_markers`` ``supply_lines``               markers drawn by dice; supply
``forbidden_stratagems``                         stratagems of other books that a mission forbids
``power_level`` ``set_up_in_turn`` ``placing``   narrative missions before the battle
``concealed_deployment`` ``bombardment``         markers instead of models; bombardment
``first_turn`` ``random_battle_length``          who begins, how long it lasts
``actions_reported`` ``losses_reported``         what players report
``nearness`` ``rolling`` ``set_up_in_battle``    acts that several rules share
``reserves`` ``sustained_assault`` ``sentries``  who arrives, who returns, who watches
``sabotage`` ``hidden_spy`` ``break_through``    what single missions are about
``escape_route`` ``quake_mines`` ``dawn_raid``   the same
``narrative_victory`` ``reminders``              who has won; what is the players' own business
``stratagems`` ``stratagem_moments``             stratagems as data, and when they may be used
``stratagem_effects``                            what they do
``patrol_phase`` ``patrol_moves``                the Patrol phase
``jump_off_points`` ``jump_off_zones``           jump-off points
``wedges`` ``cover``                             the ground they may stand on
``battle`` ``which_battle`` ``terrain``          a battle of the campaign: its data, its kind, its ground
``special_rules`` ``sides`` ``battle_set_up``    its rules, its sides, its set-up
``reinforcements`` ``artillery`` ``sky``         what comes from other hexes and from above
``battle_end``                                   how it ends
``posture`` ``solo_scenarios``                   the opponent that the dice play
=============================================== ====================================================================
"""
