"""The tables of the rulebook, written from ruleset data so that text and data cannot drift apart.

``python -m server.rulebook FILE...`` rewrites in place what stands in a Markdown file between
``<!-- table: NAME -->`` and ``<!-- /table -->``. The file names its ruleset in ``<!-- ruleset: ID -->``.
Besides the tables of a ruleset there are two of the text itself: its contents and an index of the
decisions (D-nn, R-nn) it mentions. Figures and names within the prose stand between ``<!-- = NAME -->`` and
``<!-- / -->``; what concerns one ruleset alone between ``<!-- only: ID -->`` and ``<!-- /only -->``. So the same prose
is the rulebook of every ruleset, which the pages show.

================  ==========================================================
``rewriting``     all tables by name, those of the text itself, and putting them into it
``book``          the rulebook of a ruleset in a language, cut into sections
``terms``         the words it explains: glossary, buildings, units, terrain
``pieces``        finding places by words, and what a pop-over shows
``economy``       the start; towns, resources, buildings, strongholds (1)
``movement``      detachments, MV, terrain, what is found (1.2, 3)
``battles``       battles, casualties, recovery (6, 7)
``armies``        army lists and their traits (8), how often each won (D-71c); ``played`` has the records
``missions``      battles on the table: missions, stratagems, the solo opponent (``docs/table-rules.md``)
``figures``       single figures and the words of the data, in tables and within the prose
``markdown``      how tables, numbers and anchors are written, and in which language (``texts``)
================  ==========================================================
"""
