"""Maps and scenarios: reading, checking, fairness, making, and exchange with other programs.

A scenario is a folder with a file ``scenario.json`` (docs/maps.md). :func:`server.scenarios.library.load`
gives one that comes with the server, :func:`server.scenarios.begin.initial_state` opens a campaign on it.
"""
