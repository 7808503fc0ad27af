"""The rulesets that come with the server, and how to load one of your own."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from server.core.errors import RulesError
from server.rules.ruleset import Ruleset
from server.rules.ruleset.reader import RulesetError, read

NO_LIST = "none"
"""The faction without a list of its own: dice never choose it."""
_SUFFIX = ".toml"


@cache
def names() -> tuple[str, ...]:
    """Return the ids of the rulesets that come with the server, sorted."""
    found = (file.name for file in resources.files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in found if name.endswith(_SUFFIX)))


@cache
def load(id: str) -> Ruleset:
    """Return the ruleset of that id that comes with the server."""
    if id not in names():
        raise RulesError(f"there is no ruleset {id!r}; there are: {', '.join(names())}")
    return _load(resources.files(__name__) / f"{id}{_SUFFIX}", f"{id}{_SUFFIX}")


def load_file(path: str | Path) -> Ruleset:
    """Return the ruleset of a TOML file; raises :class:`RulesetError` with all that is wrong with it."""
    return _load(Path(path), str(path))


def _load(file: Path | Traversable, source: str) -> Ruleset:
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise RulesetError([f"{source}: {error.strerror}"]) from error
    except ValueError as error:
        raise RulesetError([f"{source}: {error}"]) from error
    return read(data, source)
