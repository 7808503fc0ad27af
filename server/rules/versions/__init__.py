"""Rules versions: earlier decisions that differ, and the version of each campaign.

Where the source is silent, the rulebook decides (D-nn, R-nn). When a decision changes, started campaigns
continue as they began, and their records verify as before. Everything about older versions lives here:

============= ==============================================================
``readings``  :class:`Readings`: one switch for each changed decision; the versions there are
``halves``    the first version's ready points and half casualties (D-62)
``following`` the first version's way of one who follows (D-46)
============= ==============================================================

The engine reads as the newest rules. Where an old record would come out differently it asks a switch of
``state.readings``; an old way that takes more than a line is a function of a module here.

The version stands in the campaign's settings (:attr:`server.rules.state.Settings.readings`), so in phase 0 of every
record and in every state. A record without it is of the first version. A campaign takes the newest at the start of
its next turn where its game master says so (:attr:`server.rules.state.Settings.next_readings`).
"""

from server.rules.versions.readings import FIRST, NEWEST, VERSIONS, Readings

__all__ = ["FIRST", "NEWEST", "VERSIONS", "Readings"]
