"""Narrative missions: the mission rules, single missions, stratagems.

==========================================  ===============================================
``roles``                                   who attacks, who begins
``set_up_in_turn`` ``placing``              deployment, and where units may stand
``concealed_deployment`` ``bombardment``    markers instead of models; bombardment
``rounds``                                  Dawn Raid in the first rounds, how many there are
``reports``                                 what players report
``shared_acts``                             acts that several rules share
``reserves`` ``sentries``                   who arrives and returns, who watches
``sabotage`` ``hidden_spy``                 what single missions are about
``victory``                                 who has won
``stratagems`` ``stratagem_moments``        stratagems, and when they may be used
``stratagem_data`` ``stratagem_effects``    what missions say of them, what they do
==========================================  ===============================================
"""
