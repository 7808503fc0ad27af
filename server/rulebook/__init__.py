"""The tables of the rulebook, written from ruleset data so that text and data cannot drift apart.

``python -m server.rulebook FILE...`` rewrites in place what stands in a Markdown file between
``<!-- table: NAME -->`` and ``<!-- /table -->``. The file names its ruleset in ``<!-- ruleset: ID -->``.
Besides the tables of a ruleset there are two of the text itself: its contents and an index of the
decisions (D-nn, R-nn) it mentions.

============= ===========================================================
``rewriting`` all tables by name, and putting them into a text
``economy``   the start; towns, resources, buildings, strongholds (1)
``movement``  detachments, MV, terrain, what is found (1.2, 3)
``battles``   battles, casualties, recovery (6, 7)
``armies``    army lists and their traits (8)
``missions``  battles on the table: missions, stratagems, the solo opponent (``docs/table-rules.md``)
``figures``   single figures, and the words of the data
``text``      contents, index of decisions
``markdown``  how tables, numbers and anchors are written
============= ===========================================================
"""
