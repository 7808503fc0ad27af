"""Narrative missions: the mission rules, single missions, stratagems.

===============================================  =============================================
``power_level``                                  before the battle: who attacks
``set_up_in_turn`` ``placing``                   deployment, and where units may stand
``concealed_deployment`` ``bombardment``         markers instead of models; bombardment
``first_turn`` ``random_battle_length``          who begins, how long it lasts
``actions_reported`` ``losses_reported``         what players report
``nearness`` ``rolling`` ``set_up_in_battle``    acts that several rules share
``reserves`` ``sustained_assault`` ``sentries``  who arrives, who returns, who watches
``sabotage`` ``hidden_spy`` ``break_through``    what single missions are about
``escape_route`` ``quake_mines`` ``dawn_raid``   the same
``narrative_victory``                            who has won
``stratagems`` ``stratagem_moments``             stratagems as data, and when they may be used
``stratagem_data`` ``stratagem_effects``         what missions say of them, what they do
``stratagem_passes``                             who does without which
===============================================  =============================================
"""
