"""What gives English away in a text that should be in another language."""

from __future__ import annotations

import re

ENGLISH = re.compile(
    r"\b(the|and|of|is|are|you|your|with|from|for|this|that|these|has|have|been|turn|turns|orders?|hex|hexes"
    r"|units?|forces?|building|town|attacks?|nothing|only|must|cannot|by|or|on|at|to)\b",
    re.IGNORECASE,
)
"""Words that no German sentence holds."""
