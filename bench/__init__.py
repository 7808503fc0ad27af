"""How long the rules take: ``python -m bench``, or ``make bench``."""
