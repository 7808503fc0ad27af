"""What the last phases brought one viewer, as a list to walk through: battles, failures, land, finds, enemies, letters.

Everything comes from the viewer's views and events. So nothing here can show more than those.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from server.core.events import Event
from server.play.messages.messages import MessageInfo
from server.play.views.history import PastPhase
from server.render.story import Part, part_in, sentence
from server.rules.board import ORBIT
from server.rules.elimination import held
from server.rules.sight import View
from server.rules.state import Detachment, Force, State
from server.web.presenters.failed_orders import Failure, failed_orders
from server.web.presenters.reader import Reader

ORDER = ("battle", "failed", "lost", "land", "found", "enemy", "letter", "gained", "news")
"""Kinds of results, in the order in which they are shown."""
_FAILED = frozenset(
    {"attack_failed", "order_cancelled", "claim_failed", "claim_negated", "road_failed", "no_effect",
     "placement_failed", "recovery_disturbed", "detachment_waits", "building_lost"}
)  # fmt: skip
_LOST = frozenset({"destroyed", "retreated", "convoys_lost", "urban_shrunk", "works_lost"})
_GAINED = frozenset({"detachment_ready", "convoy_formed", "income"})
_NEWS = frozenset(
    {"withdrew", "raided", "convoy_captured", "capital_captured", "eliminated", "campaign_over", "corrupted",
     "allied", "no_longer_allied", "alliance_declared", "alliance_ended", "new_readings", "battle"}
)  # fmt: skip
"""Events in the words of every report; all others are not results of their own."""
_TAKEN = frozenset({"raided", "convoy_captured", "capital_captured", "campaign_over"})
"""Gains for the player who did it, losses for the other."""
MAX_LETTER = 90
"""Characters of a letter that are shown."""


@dataclass(frozen=True, slots=True)
class Result:
    """One line of what happened."""

    kind: str
    """One of :data:`ORDER`."""
    tone: str
    """``good``, ``bad`` or ``plain`` for the viewer."""
    parts: tuple[Part, ...]
    """The sentence, and the hexes and players it names."""
    hexes: tuple[str, ...] = ()
    """Where it happened; the first is the one to look at."""
    details: tuple[str, ...] = ()
    """More sentences: dice, odds, losses, reasons."""
    dice: tuple[tuple[int, ...], ...] = ()
    """Faces of the viewer's side, then of the other's; empty unless dice decided."""
    link: str = ""
    """The page of the campaign that says more, after its address; empty for none."""
    brief: str = ""
    """A battle in a few words: where, who won, the damage; empty for all else."""
    letter: str = ""
    """The id of a letter, which is shown once; empty for all else."""
    theirs: bool = False
    """A battle that the viewer did not fight in: folded for a newcomer."""
    ally: str = ""
    """The player who proposes an alliance with the viewer; empty for all else."""
    stage: str = ""
    """The phase it was in, unless it is the last of the list."""

    def __str__(self) -> str:
        return "".join(part.text for part in self.parts)


def results(before: View, phases: Sequence[PastPhase], reader: Reader, battles: Iterable[Result]) -> list[Result]:
    """Return what finished phases brought their viewer.

    *before* is the view ahead of the first of them; *battles* are the results of those that were fought.
    """
    found = [*battles]
    fought = {hex_ for result in found for hex_ in result.hexes}
    land: dict[str, list[str]] = {}
    for at, past in enumerate(phases):
        failures, told = failed_orders(phases[at - 1].view if at else before, past, reader)
        lines = list(_failures(failures, reader))
        told_already = frozenset(id(event) for event in told)
        for event in past.events:
            if id(event) in told_already:
                continue
            if event.type == "claimed":
                _claimed(event, reader.viewer, land)
            elif not (event.type == "battle" and event.fields["hex"] in fought):
                lines += _result_of(event, reader)
        found += dated(lines, phases, at, reader)
    if phases:
        after = phases[-1].view
        found += [*_land(land, after.state, reader), *_enemies(before, after, reader)]
    return sorted(found, key=lambda result: ORDER.index(result.kind))


def without_repeated_places(lines: Iterable[Result]) -> list[Result]:
    """Return a list in which the same words say where one hex lies only; other hexes go by their number."""
    first: dict[str, str] = {}

    def short(part: Part) -> Part:
        words = part.text.removeprefix(part.hex) if part.hex else ""
        same = words in ("", part.text) or first.setdefault(words, part.hex) == part.hex
        return part if same else replace(part, text=part.hex)

    return [replace(line, parts=tuple(short(part) for part in line.parts)) for line in lines]


def dated(lines: Iterable[Result], phases: Sequence[PastPhase], at: int, reader: Reader) -> list[Result]:
    """Return what one of some phases brought; each line names that phase unless it is the last one."""
    info = phases[at].info
    stage = reader.t.stage(info.turn, info.phase) if at < len(phases) - 1 else ""
    return [replace(line, stage=stage) for line in lines]


def letters(unread: Iterable[MessageInfo], reader: Reader) -> Iterator[Result]:
    """Yield a line for each letter that waits."""
    for message in unread:
        who = reader.player(message.sender) if message.sender else (Part(reader.t("results.gm")),)
        words = " ".join((message.subject or message.body).split())
        short = words if len(words) <= MAX_LETTER else f"{words[: MAX_LETTER - 1]}…"
        yield Result("letter", "plain", reader.line("letter", who=who, words=short), link="/people", letter=message.id)


# --- what failed ---


def _failures(failures: Iterable[Failure], reader: Reader) -> Iterator[Result]:
    """Yield the viewer's orders that failed, each with its reasons."""
    for failure in failures:
        hexes = failure.hexes
        if failure.stopped:
            at, goal = (reader.hex(label) for label in failure.stopped)
            parts = reader.line("stopped", who=reader.force(failure.who), goal=goal, hex=at)
        elif failure.order:
            parts = reader.line("not_done", order=failure.order)
        else:
            yield from (Result("failed", "bad", reader.line("refused", why=why)) for why in failure.why)
            continue
        yield Result("failed", "bad", parts, hexes, failure.why)


def _result_of(event: Event, reader: Reader) -> Iterator[Result]:
    """Yield an event in the words of every report if it is a result."""
    kind = next(
        (
            kind
            for kind, types in (("failed", _FAILED), ("lost", _LOST), ("gained", _GAINED), ("news", _NEWS))
            if event.type in types
        ),
        "found" if event.type == "discovered" else "",
    )
    if not kind:
        return
    told = sentence(event, reader.names, reader.t.language, reader.viewer)
    proposed = event.type == "alliance_declared" and part_in(event, reader.viewer) == "of"
    ally = str(event.fields["by"]) if proposed else ""
    yield Result(kind, tone_of(event, kind, reader), told.parts, told.hexes, ally=ally)


def tone_of(event: Event, kind: str, reader: Reader) -> str:
    """Return what an event means for its reader: ``good``, ``bad`` or ``plain``."""
    if kind == "lost":
        if not reader.friends or event.type == "works_lost":  # nobody's side, or no word of whose they were
            return "plain"
        force = str(event.fields.get("force", ""))
        owner = reader.names.get(f"owner/{force}", "") if force else reader.viewer
        return "bad" if owner == reader.viewer else "good" if owner and owner not in reader.friends else "plain"
    if event.type in _TAKEN:
        return {"by": "good", "of": "bad"}.get(part_in(event, reader.viewer), "plain")
    if event.type == "eliminated":
        return "bad" if part_in(event, reader.viewer) else "plain"
    return {"failed": "bad", "found": "good", "gained": "good"}.get(kind, "plain")


# --- land ---


def _claimed(event: Event, viewer: str, land: dict[str, list[str]]) -> None:
    """Note a claim: under the viewer what they won, under others what these took from them."""
    by, hex_ = str(event.fields["by"]), str(event.fields["hex"])
    if by == viewer or event.fields["before"] == viewer:
        land.setdefault(by, []).append(hex_)


def _land(land: Mapping[str, Sequence[str]], state: State, reader: Reader) -> Iterator[Result]:
    count = held(state)
    for by, hexes in land.items():
        named = tuple(dict.fromkeys(hexes))
        if by == reader.viewer:
            parts = reader.line("land_won", n=len(named), hexes=reader.hexes(named), count=count.get(by, 0))
            yield Result("land", "good", parts, named)
        else:
            parts = reader.line("land_lost", n=len(named), who=reader.player(by), hexes=reader.hexes(named))
            yield Result("land", "bad", parts, named)


# --- enemies ---


def _enemies(before: View, after: View, reader: Reader) -> Iterator[Result]:
    """Yield the enemies that are in sight now and were not, by player."""
    new: dict[str, list[Force]] = {}
    if reader.viewer not in after.state.players:
        return
    friends = after.state.friends(reader.viewer)
    forces: list[Force] = [*after.state.detachments.values(), *after.state.garrisons.values()]
    for force in forces:
        if force.owner not in friends and before.state.force(force.id) is None and force.at != ORBIT:
            new.setdefault(force.owner, []).append(force)
    for owner, some in new.items():
        hexes = tuple(dict.fromkeys(after.state.board.label(force.at) for force in some))
        only = some[0]
        if len(some) == 1:
            name = only.name if isinstance(only, Detachment) else reader.t("results.a_garrison")
            filled = {"points": after.state.ready_points(only), "hex": reader.hex(hexes[0])}
            parts = reader.line("enemy_one", who=reader.player(owner), name=name, **filled)
        else:
            parts = reader.line("enemies", n=len(some), who=reader.player(owner), hexes=reader.hexes(hexes))
        yield Result("enemy", "plain", parts, hexes)
