"""Changes of a view: new and changed rows, and deleted ones.

Changes are made of two views of one viewer. Both were meant for this reader, with the same rights, so changes say
nothing that the second view would not. A reader whose earlier view this process has forgotten gets the whole view.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from server.play.context import Actor, AppContext
from server.play.views import reads
from server.play.views.positions import Shown, joined

Path = tuple[str, ...]
DEPTH = 4
"""Steps from the view to the field of a row: ``state``, a table, an id, a name."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """A row, or a value, that is new or another one now."""

    path: Path
    """The names that lead to it from the outside."""
    value: Any


@dataclass(frozen=True, slots=True)
class ListEdit:
    """One place of a list that is different now."""

    at: int
    """Its index in the list as it was."""
    gone: int
    """How many entries from there on are gone."""
    put: list[Any]
    """What stands there instead."""


@dataclass(frozen=True, slots=True)
class Spliced:
    """A list that has other entries now."""

    path: Path
    edits: list[ListEdit]
    """By index. Make them from the last to the first: then no index moves."""


@dataclass(slots=True)
class Changes:
    """What makes one view into another."""

    replaced: list[Replaced] = field(default_factory=list)
    removed: list[Path] = field(default_factory=list)
    """Paths of rows that are gone."""
    spliced: list[Spliced] = field(default_factory=list)


def note(ctx: AppContext, actor: Actor, campaign_id: str, shown: Shown) -> None:
    """Remember what a reader was sent. Its bytes are remembered elsewhere, for as long as there is room."""
    sent = (shown.state_hash, shown.rights, shown.head)
    ctx.caches.sent_views.put((campaign_id, actor.user_id, shown.viewer, shown.etag), sent)


def since(ctx: AppContext, actor: Actor, campaign_id: str, shown: Shown, etag: str) -> bytes:
    """Return as JSON what has changed since the view with that ETag, or the whole view where that is not longer.

    The fields are ``since``, ``etag``, ``digest`` (SHA-256 of the bytes of the view, hexadecimal), ``replaced``,
    ``removed``, ``spliced`` and ``whole``, which is null unless everything is sent.
    """
    sent = ctx.caches.sent_views.known((campaign_id, actor.user_id, shown.viewer, etag))
    note(ctx, actor, campaign_id, shown)
    if sent is not None and sent[1] == shown.rights:
        kind = f"changes {etag} {shown.etag}"
        kept = reads.known(ctx, campaign_id, shown.state_hash, shown.viewer, kind)
        before = None if kept is not None else reads.known(ctx, campaign_id, sent[0], shown.viewer, "view")
        if before is not None:
            whole = orjson.loads(joined(sent[2], before.body))
            made = _answer(shown, etag, changes(whole, orjson.loads(shown.body)), None)
            kept = reads.keep(ctx, campaign_id, shown.state_hash, shown.viewer, kind, made)
        if kept is not None and len(kept.body) < len(shown.view.body):
            return kept.body
    return _answer(shown, None, Changes(), orjson.Fragment(shown.body))


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Changes:
    """Return what makes one JSON object into another with the same order of names."""
    found = Changes()
    for path, old, new in _unlike(before, after, ()):
        if new is _NOTHING:
            found.removed.append(path)
        elif isinstance(old, list) and isinstance(new, list) and (edits := _edits(old, new)):
            found.spliced.append(Spliced(path, edits))
        else:
            found.replaced.append(Replaced(path, new))
    return found


# --- inside ---

_NOTHING = object()


def _answer(shown: Shown, since: str | None, found: Changes, whole: orjson.Fragment | None) -> bytes:
    return orjson.dumps({
        "since": since, "etag": shown.etag, "digest": hashlib.sha256(shown.body).hexdigest(),
        "replaced": found.replaced, "removed": found.removed, "spliced": found.spliced, "whole": whole,
    })  # fmt: skip


def _unlike(before: Mapping[str, Any], after: Mapping[str, Any], path: Path) -> Iterator[tuple[Path, Any, Any]]:
    """Yield where two objects differ, down to their rows, and the values there."""
    for name in before:
        if name not in after:
            yield (*path, name), before[name], _NOTHING
    for name, new in after.items():
        old = before.get(name, _NOTHING)
        if old == new:
            continue
        inner = len(path) + 1 < DEPTH and isinstance(old, dict) and isinstance(new, dict)
        if inner:
            yield from _unlike(old, new, (*path, name))
        else:
            yield (*path, name), old, new


def _edits(old: list[Any], new: list[Any]) -> list[ListEdit]:
    """Return what makes one list into another; nothing where entries come twice or changed places."""
    was, now = [*map(_key, old)], [*map(_key, new)]
    had, has = frozenset(was), frozenset(now)
    if len(had) < len(was) or len(has) < len(now):
        return []
    found, left, right = [], 0, 0
    while left < len(was) or right < len(now):
        if left < len(was) and right < len(now) and was[left] == now[right]:
            left, right = left + 1, right + 1
            continue
        at, start = left, right
        while left < len(was) and was[left] not in has:
            left += 1
        while right < len(now) and now[right] not in had:
            right += 1
        if (left, right) == (at, start):
            return []
        found.append(ListEdit(at, left - at, new[start:right]))
    return found


def _key(entry: Any) -> str | bytes:
    return entry if isinstance(entry, str) else orjson.dumps(entry)
