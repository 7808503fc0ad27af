"""Results of battles on the table: reported, confirmed, taken from the game.

================== ===============================================================================================
``battles``        results of the table: report, confirm, decide
``battle_results`` what the campaign takes from its game on the table; both confirm it, and the dice are published
================== ===============================================================================================
"""
