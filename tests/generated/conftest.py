"""What is collected here."""

from __future__ import annotations

from pathlib import Path

_TOOLS = Path(__file__).parent / ".tools"
collect_ignore = [] if _TOOLS.exists() else ["test_openapi_generator.py"]
