"""Army rosters made elsewhere, read into units: BattleScribe, New Recruit, tables, lists pasted as text.

Nothing of them is stored. ``reading`` is the entry point, and reads tables; ``roster`` holds units and doubtful lines.

=============== ============================================================================================
``selections``  BattleScribe's files and New Recruit's: the same tree in XML and JSON
``lists``       a list pasted as text, by the grammar of its program (``lists.toml``)
``keywords``    words for slots, mobilities, flags; numbers as people write them
=============== ============================================================================================
"""
