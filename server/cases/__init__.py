"""Rule cases: the rules as readable, executable data.

A case is one TOML file: a small position, the orders given, the dice, and what must be true
afterwards. :func:`run_case` plays one, :func:`find` looks for them.
"""

from server.cases.model import CaseError
from server.cases.run import CaseResult, find, run_case

__all__ = ["CaseError", "CaseResult", "find", "run_case"]
