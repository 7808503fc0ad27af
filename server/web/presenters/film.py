"""A phase as a film: the viewer's knowledge of it, step by step, in the order of its events.

Each step has one sentence and shown by marks on the map after the phase: marches that are run again, hexes that
change hands, a battle whose card fills line by line and whose forces look as before until its losses. All of it
comes from the views and events of the viewer. Nothing tells who was final when.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from server.core.events import Event
from server.play.views.history import PastPhase
from server.render.naming import force_name
from server.render.story import Part
from server.rules.sides import battle_modifiers, side_of
from server.rules.sight import View
from server.rules.state import Battle, Convoy, Detachment, Force
from server.web.presenters.fought_battles import FindOdds, losses_of, reached, rolled
from server.web.presenters.phase_outcome import Result
from server.web.presenters.reader import Reader

if TYPE_CHECKING:
    from server.render.moving import Scene

MAX_PLAYED = 3
"""Of many battles of the viewer's these are played, those with most VP; the others are a line each."""
MAX_LINES = 12
"""Lines of failures and of news; what is more is in the list."""
SECONDS: Mapping[str, float] = {
    "moves": 1.0, "land": 2.0, "line": 1.7, "start": 1.6, "forces": 1.4, "modifier": 0.8, "dice": 1.4, "totals": 1.4,
    "losses": 1.6, "outcome": 2.0, "retreat": 1.4, "vp": 1.2, "now": 0.0,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Step:
    """A moment of the film."""

    chapter: str
    """``moves``, ``land``, ``battle``, ``others``, ``failed``, ``news`` or ``now``."""
    tone: str
    """``good``, ``bad`` or ``plain`` for the viewer."""
    parts: tuple[Part, ...]
    """The sentence, with the hexes and players it names."""
    seconds: float
    """How long it stays; of marches: for each hex."""
    hexes: tuple[str, ...] = ()
    details: tuple[str, ...] = ()
    moves: tuple[dict[str, Any], ...] = ()
    """Forces that move together: ``force`` and ``path``, with its start."""
    flips: tuple[dict[str, str], ...] = ()
    """Hexes that change hands: ``hex``, ``before``, ``by``."""
    card: int = -1
    """The battle whose card is shown, in :attr:`Film.cards`; -1 for none."""
    shows: str = ""
    """How much of the card: ``forces``, ``modifiers``, ``dice``, ``totals``, ``losses``, ``outcome``."""
    modifiers: int = 0
    """Modifiers of the card that are shown."""
    vp: tuple[tuple[str, int], ...] = ()
    """Victory points that players gain now."""
    struck: tuple[str, ...] = ()
    """Forces and convoys that look from now on as after the phase; until then as before it."""


@dataclass(frozen=True, slots=True)
class Film:
    """A phase, step by step."""

    steps: tuple[Step, ...]
    cards: tuple[dict[str, Any], ...] = field(default=())

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data for scripts."""
        steps = []
        for step in self.steps:
            found = {name: value for name, value in asdict(step).items() if value not in ((), "", -1)}
            found["parts"] = [{key: text for key, text in asdict(part).items() if text} for part in step.parts]
            found["text"] = "".join(part.text for part in step.parts)
            steps.append(found)
        return {"steps": steps, "cards": list(self.cards)}


@dataclass(slots=True)
class _Maker:
    before: View
    past: PastPhase
    reader: Reader
    odds: FindOdds
    cards: list[dict[str, Any]] = field(default_factory=list)

    @property
    def fought(self) -> bool:
        """True in a phase in which battles are fought."""
        return any(event.type == "battle_fought" for event in self.past.events)

    # --- marches and land ---

    def marches(self) -> Iterator[Step]:
        """Yield all marches as one step, those of others as far as both views show them."""
        ways: dict[str, list[str]] = {}
        fought = self.fought
        for event in self.past.events:
            if event.type == "moved" and not fought:
                start, path = str(event.fields["start"]), [str(hex_) for hex_ in event.fields["path"]]
                known = ways.setdefault(str(event.fields["force"]), [start])
                known += path
            elif event.type == "withdrew":
                ways.setdefault(str(event.fields["force"]), [str(event.fields["start"])]).append(
                    str(event.fields["hex"])
                )
        label, after = self.past.view.state.board.label, self.past.view.state
        there: list[Detachment | Convoy] = [*after.detachments.values(), *after.convoys.values()]
        for force in there:
            then = self.before.state.force(force.id) or self.before.state.convoys.get(force.id)
            if force.id in ways or fought:  # who falls back or follows up does so after the battle
                continue
            if then is not None and -1 not in (then.at, force.at) and then.at != force.at:
                ways[force.id] = [label(then.at), label(force.at)]
        shown = {id_: path for id_, path in ways.items() if after.force(id_) or id_ in after.convoys}
        moves = [{"force": id_, "path": path} for id_, path in shown.items() if "orbit" not in path]
        if not moves:
            return
        mine = [move for move in moves if self.owner(str(move["force"])) == self.reader.viewer]
        key = "march_mine" if len(mine) == len(moves) else "march_theirs" if not mine else "march_all"
        hexes = tuple(str(move["path"][0]) for move in mine or moves)
        parts = self.reader.line(f"film.{key}", n=len(mine) or len(moves))
        yield Step("moves", "plain", parts, SECONDS["moves"], hexes, moves=tuple(moves))

    def owner(self, id_: str) -> str:
        state = self.past.view.state
        thing = state.force(id_) or state.convoys.get(id_)
        return thing.owner if thing is not None else ""

    def land(self, told: Sequence[Result]) -> Iterator[Step]:
        """Yield what changed hands: the viewer's gains and losses each with their sentence, then the others'."""
        flips: dict[str, list[dict[str, str]]] = {}
        for event in self.past.events:
            if event.type == "claimed":
                by, was = str(event.fields["by"]), str(event.fields["before"])
                flips.setdefault(by, []).append({"hex": str(event.fields["hex"]), "before": was, "by": by})
        for result in (result for result in told if result.kind == "land"):
            told_of = frozenset(result.hexes)
            named = [flip for some in flips.values() for flip in some if flip["hex"] in told_of]
            flips = {by: [flip for flip in some if flip["hex"] not in told_of] for by, some in flips.items()}
            yield Step("land", result.tone, result.parts, SECONDS["land"], result.hexes, flips=tuple(named))
        for by, some in flips.items():
            if some:
                parts = self.reader.line("film.land_other", n=len(some), who=self.reader.player(by))
                hexes = tuple(flip["hex"] for flip in some)
                yield Step("land", "plain", parts, SECONDS["land"], hexes, flips=tuple(some))

    # --- battles ---

    def battles(self, told: Sequence[Result]) -> Iterator[Step]:
        """Yield the viewer's battles, the first ones beat by beat, then those of others in a line each."""
        fought = {str(event.fields["hex"]): event for event in self.past.events if event.type == "battle_fought"}
        own, lines = [], []
        for result in (result for result in told if result.kind == "battle" and result.hexes):
            event, at = fought.get(result.hexes[0]), self.past.view.state.board.find(result.hexes[0])
            battle = self.before.state.battles.get(at) if at is not None else None
            mine = battle is not None and self.reader.viewer in (battle.attacking, battle.defended_by)
            if event is not None and battle is not None and mine:
                own.append((result, event, battle))
            elif event is not None:
                lines.append((result, event, battle))
        own.sort(key=lambda fight: -int(fight[1].fields["vp"]))
        for number, (result, event, battle) in enumerate(own):
            if number >= MAX_PLAYED:
                lines.insert(number - MAX_PLAYED, (result, event, battle))
                continue
            steps = list(self.battle(result, event, battle))
            yield from (replace(step, seconds=step.seconds / (2 if number > 1 else 1)) for step in steps)
        for result, event, battle in lines:
            vp, struck = self.vp(event), self.struck(battle)
            yield Step("others", result.tone, result.parts, SECONDS["line"], result.hexes, vp=vp, struck=struck)

    def struck(self, battle: Battle | None) -> tuple[str, ...]:
        """Return the forces of a battle and the convoys in its hex, as far as the viewer knew them."""
        if battle is None:
            return ()
        state = self.before.state
        sides = [force for attacking in (True, False) for force in side_of(state, battle, attacking=attacking)]
        there = [*sides, *state.convoys_at.get(battle.hex, ())]
        return tuple(dict.fromkeys([*(thing.id for thing in there), *battle.supporters]))

    def vp(self, event: Event) -> tuple[tuple[str, int], ...]:
        winner, vp = str(event.fields["winner"] or ""), int(event.fields["vp"] or 0)
        return ((winner, vp),) if winner and vp else ()

    def battle(self, result: Result, event: Event, battle: Battle) -> Iterator[Step]:
        """Yield one battle: both sides, modifiers, dice, sums, losses, the outcome, retreats, VP."""
        reader, label = self.reader, result.hexes[0]
        card = self.card(result, event, battle)
        number = len(self.cards)
        self.cards.append(card)

        def step(shows: str, tone: str, parts: tuple[Part, ...], **more: Any) -> Step:
            return Step(
                "battle", tone, parts, SECONDS[more.pop("lasts", shows)], (label,), card=number, shows=shows, **more
            )

        start = "film.you_attack" if battle.attacking == reader.viewer else "film.attacks_you"
        enemy = battle.defended_by if battle.attacking == reader.viewer else battle.attacking
        yield step("start", "plain", reader.line(start, who=reader.player(enemy), hex=reader.hex(label)))
        yield step("forces", "plain", (Part(card["chance"]),))
        for count, modifier in enumerate(card["modifiers"], 1):
            good = modifier["you"] == (modifier["n"] > 0)
            said = (Part(f"{modifier['text']}: {modifier['n']:+d}".replace("-", "−")),)
            yield step("modifiers", "good" if good else "bad", said, modifiers=count, lasts="modifier")
        every = len(card["modifiers"])
        if card["dice"]:
            yield step("dice", "plain", reader.line("film.dice"), modifiers=every)
        if card["damage"]:
            mine, other = card["damage"]
            yield step("totals", "plain", reader.line("film.damage", mine=mine, other=other), modifiers=every)
        struck = self.struck(battle)
        if card["losses"]:
            yield step("losses", "bad", (Part(" ".join(card["losses"])),), modifiers=every, struck=struck)
        won = result.tone == "good"
        holds = "film.you_hold" if won else "film.they_hold"
        outcome = reader.line(holds, hex=reader.hex(label), who=reader.player(enemy))
        yield step("outcome", result.tone, outcome, modifiers=every, struck=() if card["losses"] else struck)
        for text, moves in self.ends(label):
            yield step("retreat", "plain", (Part(text),), modifiers=every, moves=moves)
        if gained := self.vp(event):
            (winner, vp), key = gained[0], "film.vp_you" if won else "film.vp_other"
            parts = reader.line(key, n=vp, who=reader.player(winner))
            yield step("vp", result.tone, parts, modifiers=every, vp=gained)

    def card(self, result: Result, event: Event, battle: Battle) -> dict[str, Any]:
        """Return what the card of a battle holds, the viewer's side first."""
        reader, state, label = self.reader, self.before.state, result.hexes[0]
        attacking = battle.attacking == reader.viewer
        players = (reader.viewer, battle.defended_by if attacking else battle.attacking)
        dealt = event.fields["attacker_damage"], event.fields["defender_damage"]
        chances = self.odds(state, battle)
        dice = rolled(self.past, label, players)
        losses = []
        for player, key in zip(players, ("film.losses_you", "film.losses_other"), strict=True):
            if found := losses_of(state, self.past.view.state, battle, reader, player):
                losses.append(reader.text(key, units=", ".join(found), who=reader.player(player)))
        return {
            "hex": label, "place": reader.hex(label)[0].text, "chance": result.details[-1] if result.details else "",
            "sides": [
                {"player": player, "you": player == reader.viewer, "name": reader.player(player)[0].text,
                 "forces": list(self.forces(battle, attacking=(player == battle.attacking)))}
                for player in players
            ],
            "modifiers": list(self.modifiers(battle, attacking=attacking)),
            "dice": [list(faces) for faces in dice],
            "sums": list(reached(state, battle, self.past, chances, dice, attacking=attacking) or ()),
            "damage": [] if dealt[0] is None else list(dealt if attacking else dealt[::-1]),
            "losses": losses,
        }  # fmt: skip

    def forces(self, battle: Battle, *, attacking: bool) -> Iterator[dict[str, Any]]:
        """Yield the forces of one side as the viewer knew them: its main force, those beside it, its supporters."""
        state, known = self.before.state, dict[str, Force]()
        known |= {force.id: force for force in side_of(state, battle, attacking=attacking)}
        helpers = [id_ for id_, side in battle.supporters.items() if (side != "defender") == attacking]
        known |= {id_: force for id_ in helpers if (force := state.force(id_)) is not None}
        for id_, force in known.items():
            models = sum(unit.ready for unit in force.units), sum(unit.models for unit in force.units)
            name = force_name(force, self.reader.t.language)
            yield {
                "name": name, "support": id_ in helpers, "points": state.ready_points(force), "ready": models[0],
                "models": models[1],
            }  # fmt: skip

    def modifiers(self, battle: Battle, *, attacking: bool) -> Iterator[dict[str, Any]]:
        state, t = self.before.state, self.reader.t
        for modifier in battle_modifiers(state, battle):
            force = state.force(modifier.force) if modifier.force else None
            strength = t.called(state.ruleset.strengths[modifier.strength].name) if modifier.strength else ""
            text = strength or t(f"battle.modifier.{modifier.key}")
            name = f" ({force_name(force, t.language)})" if force is not None else ""
            yield {"text": text + name, "n": modifier.value, "you": modifier.attacking == attacking}

    def ends(self, label: str) -> Iterator[tuple[str, tuple[dict[str, Any], ...]]]:
        """Yield who fell back, followed up or was wiped out in a battle, and the way of their counter."""
        state = self.past.view.state
        for event in self.past.events:
            fields, type_ = event.fields, event.type
            if type_ == "destroyed" and str(fields["hex"]) == label:
                yield self.reader.told(event), ()
            elif type_ == "retreated" and str(fields["start"]) == label:
                way = [str(fields["start"]), str(fields["hex"])]
                known = state.force(str(fields["force"])) is not None
                yield self.reader.told(event), ({"force": str(fields["force"]), "path": way},) if known else ()
            elif type_ == "moved" and label in (str(fields["start"]), *map(str, fields["path"])):
                way = [str(fields["start"]), *map(str, fields["path"])]
                if state.force(str(fields["force"])) is not None and "orbit" not in way:
                    yield self.reader.told(event), ({"force": str(fields["force"]), "path": way},)


def film(before: View, past: PastPhase, told: Iterable[Result], reader: Reader, odds: FindOdds, now: str) -> Film:
    """Return a phase as its viewer may know it.

    *before* is the view ahead of it; *told* its results; *now* what there is to do after it, as a sentence.
    """
    every = list(told)
    maker = _Maker(before, past, reader, odds)
    steps = [*maker.marches(), *maker.land(every), *maker.battles(every)]
    told_already = {"".join(part.text for part in step.parts) for step in steps}
    every = [result for result in every if str(result) not in told_already]
    for chapter, kinds in (("failed", ("failed",)), ("news", ("lost", "found", "enemy", "gained", "news", "letter"))):
        lines = [result for result in every if result.kind in kinds]
        steps += [
            Step(chapter, result.tone, result.parts, SECONDS["line"], result.hexes, result.details)
            for result in lines[:MAX_LINES]
        ]
    if not steps:
        return Film(())
    steps.append(Step("now", "plain", (Part(now),), SECONDS["now"]))
    return Film(tuple(steps), tuple(maker.cards))


MAX_BEATS, MAX_SCENES = 8, 60
LAST = 4.0
"""Seconds that the last scene stays."""


def scenes(film: Film, before: View, after: View) -> list[Scene]:
    """Return the scenes of a film; forces and hexes stay as they were until the scene that changes them."""
    from server.render.moving import Scene  # Pillow: only where wanted

    seats = {player: number for number, player in enumerate(after.state.players)}
    marching = any(step.moves for step in film.steps if step.chapter == "moves")
    found: list[Scene] = []
    for step in film.steps[:-1] or film.steps:
        caption, lines = _capital("".join(part.text for part in step.parts)), (*step.details, *_card_lines(film, step))
        tone = step.tone if step.tone != "plain" else ""
        if step.moves and step.chapter == "moves":
            for beat in range(1, _beats(step) + 1):
                ways = tuple(_way(after, seats, move, beat) for move in step.moves)
                found.append(Scene(before, caption, lines, step.seconds, ways))
        else:
            fighting = step.shows in ("start", "forces", "modifiers", "dice", "totals")
            view = before if fighting or (step.chapter == "moves" and marching) else after
            found.append(Scene(view, caption, lines, max(1.2, step.seconds), (), step.hexes, tone))
    shown = found[:MAX_SCENES]
    last = shown[-1]
    shown[-1] = Scene(last.view, last.caption, last.lines, LAST, last.ways, last.lit, last.tone)
    return shown


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _beats(step: Step) -> int:
    return min(MAX_BEATS, max(len(move["path"]) - 1 for move in step.moves) or 1)


def _way(view: View, seats: Mapping[str, int], move: Mapping[str, Any], beat: int) -> tuple[int, tuple[str, ...]]:
    thing = view.state.force(str(move["force"])) or view.state.convoys.get(str(move["force"]))
    return seats.get(thing.owner, 0) if thing is not None else 0, tuple(move["path"][: beat + 1])


def _card_lines(film: Film, step: Step) -> Iterator[str]:
    """Yield what the card of a battle shows by then: forces by name, modifiers, dice, sums."""
    if step.card < 0:
        return
    card = film.cards[step.card]
    for side in card["sides"]:
        forces = ", ".join(f"{force['name']} {force['points']}" for force in side["forces"])
        yield f"{side['name']}: {forces}"
    if step.modifiers and card["modifiers"]:
        told = card["modifiers"][: step.modifiers]
        yield ", ".join(f"{modifier['text']} {modifier['n']:+d}".replace("-", "−") for modifier in told)
    if step.shows in ("dice", "totals", "losses", "outcome") and card["dice"]:
        yield " : ".join(" ".join(str(face) for face in faces) for faces in card["dice"])
