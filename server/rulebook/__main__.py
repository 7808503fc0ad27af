"""Rewrites the tables of Markdown files in place: ``python -m server.rulebook FILE...``."""

from __future__ import annotations

import sys
from pathlib import Path

from server.rulebook.rewriting import rewrite

if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        path.write_text(rewrite(path.read_text(encoding="utf-8")), encoding="utf-8")
