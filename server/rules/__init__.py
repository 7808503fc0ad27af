"""The rules of the campaign: pure and deterministic.

Nothing in this package knows a clock, a file, a network, a log or a source of
chance of its own. What it needs is handed to it; what it finds, it returns.
"""
