"""How a campaign was won, in words: the winner, the turning points, awards. The same campaign tells the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from server.core.events import Event
from server.play.campaigns.outcome import Outcome, Turn
from server.render.naming import place as place_name
from server.rules.elimination import army_value, held
from server.rules.sight import GM
from server.rules.state import PlayerId
from server.web.translations import Translations

MAX_TURNING_POINTS, MAX_AWARDS, MAX_REASONS = 3, 6, 3
LEAST_COMEBACK = 3
"""VP that a winner must have been behind."""


@dataclass(frozen=True, slots=True)
class Place:
    """A player at the end."""

    id: PlayerId
    number: int
    name: str
    faction: str
    vp: int
    hexes: int
    battles: int
    """Battles won."""
    out: bool
    winner: bool


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A turn in which a player gained much more than the others."""

    turn: int
    player: PlayerId
    text: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Award:
    """Something one player, or two, did best."""

    id: str
    title: str
    text: str
    players: tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True)
class Account:
    """The outcome, told."""

    title: str
    how: str
    """The winner, the lead, and the end condition."""
    length: str
    places: tuple[Place, ...]
    """The winner first."""
    turning_points: tuple[TurningPoint, ...]
    awards: tuple[Award, ...]


def account(t: Translations, found: Outcome) -> Account:
    """Tell an outcome."""
    return _Teller(t, found).account()


@dataclass(slots=True)
class _Teller:
    """Tells one outcome in one language."""

    t: Translations
    found: Outcome

    def account(self) -> Account:
        """Tell all of it."""
        state, events = self.found.view.state, [event for turn in self.found.turns for event in turn.events]
        places = self._places(_count(events, "battle_fought", "winner"))
        battles = sum(event.type == "battle_fought" for event in events)
        changed = sum(event.type == "claimed" for event in events)
        length = self.t("outcome.length", turns=state.turn, battles=battles, hexes=changed)
        title = self.t("outcome.title", campaign=self.found.info.name)
        return Account(
            title, self._how(places), length, places, tuple(self._turning_points()),
            tuple(list(self._awards(events, places))[:MAX_AWARDS]),
        )  # fmt: skip

    def name(self, player: PlayerId) -> str:
        """Return what a player is called."""
        return next((seat.name for seat in self.found.info.seats if seat.player_id == player), player)

    def names(self, players: Sequence[PlayerId]) -> str:
        """Return one name, or two with "and"."""
        *others, last = [self.name(player) for player in players]
        return self.t("outcome.and", first=", ".join(others), last=last) if others else last

    def place(self, hex_: str) -> str:
        """Return what a hex is called."""
        board = self.found.view.state.board
        at = board.find(hex_)
        return hex_ if at is None else place_name(board, at, self.t.language)

    def _places(self, battles: Counter[str]) -> tuple[Place, ...]:
        state = self.found.view.state
        hexes, numbers = held(state), {seat.player_id: seat.number for seat in self.found.info.seats}
        places = [
            Place(
                player.id, numbers.get(player.id, 0), self.name(player.id),
                self.t.called(state.ruleset.factions[player.faction].name), player.vp, hexes[player.id],
                battles[player.id], player.eliminated, player.id in state.winners,
            )
            for player in state.players.values()
        ]  # fmt: skip

        def rank(place: Place) -> tuple[bool, bool, int, int, int]:
            return place.winner, not place.out, place.vp, army_value(state, place.id), place.hexes

        return tuple(sorted(places, key=rank, reverse=True))

    def _how(self, places: Sequence[Place]) -> str:
        """Return the winner, the lead over the next player, and the end condition, as sentences."""
        state = self.found.view.state
        winners, others = [place for place in places if place.winner], [place for place in places if not place.winner]
        ended = self.t.name("ended", state.ended_by) if state.ended_by else ""
        if not winners:
            return f"{self.t('outcome.nobody')} {ended}" if ended else self.t("overview.no_winner")
        first, second = winners[0], max(others, key=lambda place: place.vp, default=None)
        who, vp = self.names([place.id for place in winners]), first.vp
        if len(winners) > 1:
            told = self.t("outcome.shared", who=who, vp=vp)
        elif second is None or second.out:
            told = self.t("outcome.alone", who=who, vp=vp)
        elif vp > second.vp:
            told = self.t("outcome.ahead", who=who, vp=vp, ahead=vp - second.vp, second=second.name)
        else:
            told = self.t("outcome.level", who=who, vp=vp, second=second.name)
        return f"{told} {ended}".strip()

    # --- turning points ---

    def _turning_points(self) -> Iterator[TurningPoint]:
        """Yield the turns in which one player gained most on the others, in order."""
        swings = []
        before: dict[PlayerId, int] = {}
        for turn in self.found.turns:
            gains = {player: vp - before.get(player, 0) for player, vp in turn.vp.items()}
            for player, gain in gains.items():
                others = [other for id_, other in gains.items() if id_ != player]
                lead = gain - (sum(others) / len(others) if others else 0.0)
                if turn.number and gain > 0 and lead > 0:
                    swings.append((-lead, turn.number, player, gain, turn, dict(before)))
            before = dict(turn.vp)
        best = sorted(swings, key=lambda swing: swing[:3])[:MAX_TURNING_POINTS]
        for _, number, player, gain, turn, earlier in sorted(best, key=lambda swing: swing[1:3]):
            yield TurningPoint(
                number, player, self._swing(player, gain, turn, earlier), tuple(self._reasons(turn, player))
            )

    def _swing(self, player: PlayerId, gain: int, turn: Turn, before: dict[PlayerId, int]) -> str:
        """Say what a player gained, and whether it made them the leader."""
        others_before = max((vp for id_, vp in before.items() if id_ != player), default=0)
        others = max((vp for id_, vp in turn.vp.items() if id_ != player), default=0)
        led, leads = before.get(player, 0) > others_before, turn.vp[player] > others
        key = "outcome.took_lead" if leads and not led else "outcome.gained"
        return self.t(key, who=self.name(player), gain=gain)

    def _reasons(self, turn: Turn, player: PlayerId) -> Iterator[str]:
        """Yield what brought a player VP in a turn, the most first."""
        won = [event for event in turn.events if event.type == "battle_fought" and event.fields["winner"] == player]
        taken = [event for event in turn.events if event.type == "capital_captured" and event.fields["by"] == player]
        told = [
            self.t("outcome.capital", of=self.name(event.fields["of"]), vp=event.fields["vp"]) for event in taken
        ] + [
            self.t("outcome.battle", where=self.place(event.fields["hex"]), vp=event.fields["vp"])
            for event in sorted(won, key=lambda event: -event.fields["vp"])
            if event.fields["vp"]
        ]
        yield from told[:MAX_REASONS]

    # --- awards ---

    def _awards(self, events: Sequence[Event], places: Sequence[Place]) -> Iterator[Award]:
        """Yield the awards that were earned, the weightiest first."""
        for event in events:
            if event.type == "capital_captured":
                by, of = event.fields["by"], event.fields["of"]
                yield self._award("capital", [by], who=self.name(by), of=self.name(of))
                break
        yield from self._comeback(places)
        yield from self._most("battles", _count(events, "battle_fought", "winner"))
        yield from self._hardest(events)
        yield from self._most("land", _count(events, "claimed", "by", lambda event: not event.fields["before"]))
        yield from self._most("conquest", _count(events, "claimed", "by", lambda event: bool(event.fields["before"])))
        yield from self._most("loot", self._loot(events))
        works: Counter[str] = Counter()
        for type_ in ("urban_built", "urban_upgraded", "stronghold_built", "stronghold_upgraded"):
            works += _count(events, type_, "by")
        yield from self._most("works", works)

    def _award(self, id_: str, players: Sequence[PlayerId], **filled: object) -> Award:
        text = self.t(f"outcome.award.{id_}", **filled)
        return Award(id_, self.t(f"outcome.award.{id_}_title"), text, tuple(players))

    def _most(self, id_: str, counts: Counter[str]) -> Iterator[Award]:
        """Yield an award for the highest count, for one or two players; none if more share it."""
        most = max(counts.values(), default=0)
        best = [player for player in self.found.view.state.players if most and counts[player] == most]
        if 1 <= len(best) <= 2:
            yield self._award(id_, best, who=self.names(best), n=most)

    def _loot(self, events: Sequence[Event]) -> Counter[str]:
        loot: Counter[str] = Counter()
        for event in events:
            if event.type == "battle_fought" and event.fields["winner"]:
                loot[event.fields["winner"]] += event.fields["pillage"]
            elif event.type == "raided":
                loot[event.fields["by"]] += event.fields["bp"]
        return loot

    def _hardest(self, events: Sequence[Event]) -> Iterator[Award]:
        """Yield the quick battle with the most damage."""
        fought = [
            event
            for event in events
            if event.type == "battle_fought" and event.fields["winner"] and event.fields["attacker_damage"] is not None
        ]
        damage = [event.fields["attacker_damage"] + event.fields["defender_damage"] for event in fought]
        if damage and max(damage):
            event = fought[damage.index(max(damage))]
            winner, where = event.fields["winner"], self.place(event.fields["hex"])
            yield self._award("hardest", [winner], who=self.name(winner), where=where, n=max(damage))

    def _comeback(self, places: Sequence[Place]) -> Iterator[Award]:
        """Yield by how much a sole winner was behind at the worst."""
        winners = [place for place in places if place.winner]
        if len(winners) != 1:
            return
        me, worst, at = winners[0].id, 0, 0
        for turn in self.found.turns:
            behind = max((vp for id_, vp in turn.vp.items() if id_ != me), default=0) - turn.vp.get(me, 0)
            if behind > worst:
                worst, at = behind, turn.number
        if worst >= LEAST_COMEBACK:
            yield self._award("comeback", [me], who=self.name(me), n=worst, turn=at)


def _count(
    events: Sequence[Event], type_: str, field: str, wanted: Callable[[Event], bool] = lambda _event: True
) -> Counter[str]:
    """Count the events of a type by a player's field; nobody's are left out."""
    return Counter(
        str(event.fields[field]) for event in events if event.type == type_ and event.fields[field] and wanted(event)
    )


def complete(found: Outcome) -> bool:
    """Return whether the outcome tells everything: a sealed record gives only public information."""
    return found.view.viewer == GM
