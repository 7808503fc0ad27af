"""For people who train bots: the campaign as a PettingZoo environment (``pip install sealed-orders[train]``).

:func:`server.training.environment.parallel_env` makes one; ``docs/training.md`` says what agents see and do.
"""
