"""Table cases: battles on the table as readable, executable data. A file with a key ``game`` is one.

==================== =================================================================
``read``             a file's form, and how its game begins
``run``              plays it and compares
==================== =================================================================
"""
