"""What stays plain JSON."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
Order = dict[str, Any]
"""An order: its ``type`` and the fields of that type."""
