"""Which version of the program resolves phases here."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def _version() -> str:
    try:
        return version("sealed-orders")
    except PackageNotFoundError:  # run from a checkout that was never installed
        return "0"


RULES_VERSION = _version()
"""The version of the rules' program that resolves phases here; kept with each phase."""
