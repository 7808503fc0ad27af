"""The command line, one file a group of commands; ``terminal`` holds what they share.

===================== ==================================================================
``terminal``          exit codes, errors in one line, JSON, the database of this machine
``reference``         all of them, for ``docs/cli.md``
``serving``           ``serve``
``demo``              ``demo``
``database``          ``db ...``: schema, backup, restore
``users``             ``user ...``
``campaigns``         ``campaign ...``
``maps`` ``pictures`` ``map ...``
``cases``             ``cases``
``verifying``         ``verify``
``replaying``         ``replay``
``exhibition``        ``exhibition``
===================== ==================================================================

A command reads what it was given, calls one use case of :mod:`server.play` (or of the rooms below), prints what
came of it. It raises what the use case raised: :class:`~server.commands.terminal.Commands` tells it.
"""
