"""The command line, one file a group of commands. First stands what they share.

===================== ==================================================================
``terminal``          exit codes, how a command ends, JSON, files, questions
``printing``          tables, phases, deadlines and sizes as people read them
``group``             what all commands are in: whatever one raises ends as one line
``machine``           the settings and the database of this machine
``remote`` ``logins`` a server far away: your account there, your campaign, its errors
``overview``          all commands by name, so that only the chosen command's module is imported
``reference``         all of them, for ``docs/cli.md``
``serving``           ``serve``
``demo``              ``demo``
``database``          ``db ...``: schema, backup, restore
``users``             ``user ...``
``campaigns``         ``campaign ...``, with ``campaign_records`` and ``standing``
``mail``              ``mail ...``
``maps``              ``map ...``
``missions``          ``mission ...``: missions for battles on the table
``table_game``        ``table``: a battle on the table, in the terminal; ``table_screen``: what is shown and typed
``cases``             ``cases``
``verifying``         ``verify``, ``replay``
``tournament``        ``tournament``, ``balance``, ``exhibition``
``signing_in``        ``login``, ``logout``
``joining``           ``create``, ``join``, ``leave``, ``away``, ``start``, ``vote``
``status``            ``status``
``viewing``           ``view``
``ordering``          ``orders ...``, with ``order_text``
``following``         ``history``, ``watch``
``request``           ``api``
``bot`` ``engine``      ``bot``, also with a program that reads and writes lines of JSON
===================== ==================================================================

A command reads what it was given, calls one use case of :mod:`server.play` (or of the rooms below), prints the
result. It raises the use case's exception: :class:`~server.commands.group.Commands` tells it.
"""
