"""Which version of the rules' program resolves phases here; noted with each phase."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def _version() -> str:
    try:
        return version("sealed-orders")
    except PackageNotFoundError:  # run from a checkout that was never installed
        return "0"


RULES_VERSION = _version()
