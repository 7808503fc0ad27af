"""What both engines need, the campaign's rules and the referee: dice, problems, sentences, events, hexes.

As pure as they are: no clock, file, network, log or chance of its own, the standard library only.
"""
