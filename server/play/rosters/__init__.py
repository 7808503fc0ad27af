"""Army rosters made elsewhere, read into units: BattleScribe, New Recruit, tables, lists pasted as text.

Nothing of them is stored. ``reading`` is the entry point, ``roster`` holds the units and the doubtful lines.

======================== =====================================================================
``as_xml`` ``as_json``   BattleScribe's files; New Recruit's
``tables`` ``lists``     a table of a spreadsheet; a list pasted as text, by the grammar of its program (``lists.toml``)
``selections``           units of the trees that both programs write
``numbers`` ``keywords`` numbers as people write them; words for slots, mobilities, flags
======================== =====================================================================
"""
