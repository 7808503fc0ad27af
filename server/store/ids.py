"""Opaque names for rows that people and programs refer to."""

from __future__ import annotations

import secrets
import unicodedata

_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
"""32 characters nobody mixes up when reading aloud."""
LENGTH = 16


def new_id() -> str:
    """Return a random id of 80 bits that tells nothing of what it names, nor when it was made."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(LENGTH))


def fold(name: str) -> str:
    """Return what two names have in common that people would take for the same (case, width, composition)."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).strip()
