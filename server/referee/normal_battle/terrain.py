"""Terrain of a battle by the dice: how many pieces, what they are, who places them (4.1, T-61 to T-64)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from server.core.errors import Problem
from server.core.sentences import say
from server.referee.act import Act, Found, act_kind
from server.referee.battle import GROUNDS, battle_of, half_up
from server.referee.beginning import Piece
from server.referee.choices import TRUE, Choice, Offer, offer, one_of, point
from server.referee.game import Game
from server.referee.geometry import (
    Point,
    cut,
    doubled_area,
    doubled_area_of,
    exact,
    minus,
    rectangle,
    rounded,
    sides,
    turned,
)
from server.referee.mission import Mission
from server.referee.reading import (
    AT,
    BOOL,
    ID,
    INCHES,
    LOCALIZED_TEXT,
    MAX_ITEMS,
    POLYGON,
    Inches,
    ListOf,
    LocalizedText,
    OneOf,
    Record,
    given,
    inches,
    state,
    to_inches,
)
from server.referee.refusals import refuse
from server.referee.rule import Rule, rule_kind

TERRAIN = "terrain"
"""The stage in which terrain is laid."""
ROWS = 11
"""Sums of 2D6."""
ROAD_FROM = 4
ALWAYS, ON_FOUR, COVERED = "always", "on_4", "covered"
OWN = "own"
"""A piece of the players' own, if both agree (T-63)."""
AROUND = "_around_"
"""What joins a clearing to the feature around which it may lie instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """A terrain feature of the tables."""

    id: str = given(ID)
    text: LocalizedText = given(LOCALIZED_TEXT)
    choices: tuple[str, ...] = given(ListOf(ID), ())
    """The player who places it takes one of these instead (T-63)."""
    rolls: tuple[str, ...] = given(ListOf(ID), ())
    """One of these instead, by a D6 (``dangerous/<n>``)."""
    any_other: bool = given(BOOL, False)
    """Any other row of its column instead."""
    trails: str = given(OneOf(("", ALWAYS, ON_FOUR, COVERED)), "")
    """D3 trails: always, on a D6 of 4 or more, or where the whole table is of one ground."""
    around: str = given(ID, "")
    """It may lie around a standing feature of this id instead, without trails."""
    cut: bool = given(BOOL, False)
    """Defenders of a stronghold may have burned or cut it (fire lanes)."""
    cover: bool = given(BOOL, False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of the table: what 2 to 12 give on one kind of ground."""

    ground: str = given(OneOf(GROUNDS))
    covered: bool = given(BOOL, False)
    """The whole table is of this ground: rolls by the longer edge, placed anywhere (T-62)."""
    rows: tuple[str, ...] = given(ListOf(ID, min=ROWS, max=ROWS))


@act_kind("own_terrain", stages=(TERRAIN,), holds=False)
class OwnTerrain(Act):
    """Both lay terrain their own way (T-61)."""

    def check(self, game: Game) -> Found:
        """Not once a piece by the dice stands."""
        rule = game.rule(BattleTerrain)
        if rule.own or rule.places:
            yield refuse("wrong_moment", "Terrain is being laid by the dice, or is laid.", rule="T-61")

    def play(self, game: Game) -> None:
        """Leave the pieces to the players, if both want that."""
        game.emit("wants_own_terrain", player=self.by)
        if game.agree(self.DO, self.by, True):
            rule = game.rule(BattleTerrain)
            rule.own, rule.pending, rule.squares, rule.proposed = True, (), [], None
            game.clock.turn = ""
            game.emit("own_terrain")

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer it before the first piece, once."""
        if cls.fits(game, player) and not game.wanted(cls.DO, player):
            yield offer()


@act_kind("piece", stages=(TERRAIN,), turn=True)
class PlacePiece(Act):
    """Place the terrain piece you have rolled."""

    feature: str = given(ID, "")
    at: Point = given(AT)
    polygon: tuple[Point, ...] = given(POLYGON, ())

    def check(self, game: Game) -> Found:
        """A rolled feature, or a choice if it has one, with at least half of it in its square."""
        rule = game.rule(BattleTerrain)
        if not rule.pending:
            yield refuse("wrong_moment", "No piece is to be placed.", rule="T-61")
        elif (problem := rule.wrong_choice(self.feature)) is not None:
            yield problem
        elif not all(map(game.mission.on_table, (self.at, *self.polygon))):
            yield refuse("off_table", "A piece lies on the table.", "at", to_inches(self.at), "T-61")
        elif not rule.lies_in_square(self.at, self.polygon):
            message = say("At least half of the piece must lie in the square {square}.", square=rule.square)
            yield refuse("not_in_zone", message, "at", to_inches(self.at), "T-61")

    def play(self, game: Game) -> None:
        """Place it and roll for the next one; the player's own piece needs the other player's agreement."""
        rule = game.rule(BattleTerrain)
        if self.feature == OWN:
            rule.proposed = self
            game.emit("wants_own_piece", player=self.by, at=to_inches(self.at))
        else:
            rule.place(game, self)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer the features that the piece may be, in its square."""
        rule = game.rule(BattleTerrain)
        if rule.pending:
            feature = one_of(rule.pending)
            place = point((rule.square_polygon(),)) if rule.square else point()
            fields: dict[str, Choice] = {"feature": feature if rule.must_choose else feature.optional(), "at": place}
            yield Offer(fields)


@act_kind("road", stages=(TERRAIN,))
class LayRoad(Act):
    """Both want the road of the hex on the table (T-64)."""

    road: bool = given(BOOL, True)

    def check(self, game: Game) -> Found:
        """There must be a road in the hex."""
        if not battle_of(game).road:
            yield refuse("not_allowed", "There is no road in the hex.", rule="T-64")
        elif game.rule(BattleTerrain).road:
            yield refuse("limit_reached", "The road is on the table.", rule="T-64")

    def play(self, game: Game) -> None:
        """Lay it, if both want that."""
        game.emit("wants_road", player=self.by, road=self.road)
        if not self.road:
            game.forget(self.DO)
        elif game.agree(self.DO, self.by, True):
            game.rule(BattleTerrain).lay_road(game)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer it where there is a road, once."""
        if cls.fits(game, player) and not game.wanted(cls.DO, player):
            yield offer(road=TRUE.optional())


@rule_kind("battle_terrain", acts=(OwnTerrain, PlacePiece, LayRoad))
class BattleTerrain(Rule):
    """The tables of features, the squares of the table, the pieces on it."""

    square_size: int = given(Inches(6_000), 24_000)
    per_edge: int = given(Inches(3_000), 12_000)
    """One roll for each of these along the longer edge (T-62)."""
    smallest: int = given(INCHES, 0)
    """What a table that both agree on measures at least, both ways (T-61)."""
    columns: tuple[Column, ...] = given(ListOf(Record(Column), min=1, max=6))
    features: tuple[Feature, ...] = given(ListOf(Record(Feature), min=1, max=100))
    squares: list[str] = state(list)
    """The square of each piece; empty: anywhere."""
    places: dict[str, Point] = state(dict)
    """Where each placed piece lies, by its number."""
    kinds: list[str] = state(list)
    """The features placed so far."""
    pending: tuple[str, ...] = state(tuple)
    """The features that the piece to be placed may be."""
    rolled: str = state(str)
    """The feature that was rolled for it."""
    must_choose: bool = state(bool)
    proposed: PlacePiece | None = state(lambda: None)
    """A piece of a player's own that the other may agree to (T-63)."""
    own: bool = state(bool)
    road: bool = state(bool)
    size: tuple[int, int] = state(lambda: (0, 0))

    def unfit(self, mission: Mission) -> Iterator[str]:
        """Yield what does not fit: a table that is too small, features that no table describes."""
        if min(mission.width, mission.height) < self.smallest:
            yield f"the table must be at least {inches(self.smallest):g} inches wide and deep"
        known = [feature.id for feature in self.features]
        for column in self.columns:
            yield from (f"there is no feature {name}" for name in column.rows if name not in known)
        for feature in self.features:
            yield from (
                f"there is no feature {name}" for name in (*feature.choices, *feature.rolls) if name not in known
            )

    # --- the stage ---

    def mustered(self, game: Game) -> None:
        """Know where the pieces lie that the game began with."""
        self.size = game.mission.width, game.mission.height
        for piece in game.pieces.values():
            self.places[piece.id] = _middle(piece.polygon or piece.line) if piece.polygon or piece.line else (0, 0)

    def stage_entered(self, game: Game, stage: str) -> None:
        """Roll how many pieces there are, and for the first of them."""
        if stage != TERRAIN:
            return
        self.places, self.squares = {}, []
        if self.column(game).covered:
            self.squares = [""] * (max(self.size) // self.per_edge)
        else:
            for row in range(1, _squares(self.size[1], self.square_size) + 1):
                for column in range(1, _squares(self.size[0], self.square_size) + 1):
                    square = f"{column}.{row}"
                    self.squares += [square] * half_up(game.roll(f"pieces/{square}"))
        self._roll_next(game)

    def stage_wants(self, game: Game, stage: str) -> tuple[str, ...]:
        """Every piece must be placed."""
        return (game.clock.turn,) if stage == TERRAIN and self.pending else ()

    def stage_left(self, game: Game, stage: str) -> None:
        """Roll for the road that not both wanted (T-64)."""
        if stage == TERRAIN and battle_of(game).road and not self.road and game.roll("road") >= ROAD_FROM:
            self.lay_road(game)

    def column(self, game: Game) -> Column:
        """Return the column of the battle's ground."""
        ground = battle_of(game).terrain
        return next((column for column in self.columns if column.ground == ground), self.columns[0])

    def feature(self, id_: str) -> Feature:
        """Return a feature of the tables."""
        return next(feature for feature in self.features if feature.id == id_)

    # --- a piece ---

    def _roll_next(self, game: Game) -> None:
        """Roll who places the next piece, and what it is."""
        number = len(self.places) + 1
        self.pending = ()
        if number > len(self.squares):
            game.clock.turn = ""
            return
        game.clock.turn = game.roll_off(f"piece/{number}")
        face = game.roll(f"feature/{number}") + game.roll(f"feature/{number}")
        rows = self.column(game).rows
        feature = self.feature(rows[face - 2])
        if feature.rolls:
            feature = self.feature(feature.rolls[game.roll(f"dangerous/{number}") - 1])
        self.rolled = feature.id
        self.pending, self.must_choose = self._options(feature, rows)
        game.emit("piece_rolled", player=game.clock.turn, n=number, feature=self.rolled, square=self.square)

    def _options(self, feature: Feature, rows: tuple[str, ...]) -> tuple[tuple[str, ...], bool]:
        """Return what a rolled feature may be, and whether it must be said (T-63)."""
        if feature.any_other:
            others = [self.feature(row) for row in dict.fromkeys(rows) if row != feature.id]
            names = dict.fromkeys(name for other in others for name in other.choices or (other.id,))
            return (*names, OWN), True
        if feature.choices:
            return feature.choices, True
        standing = feature.around and feature.around in self.kinds
        return ((feature.id, f"{feature.id}{AROUND}{feature.around}") if standing else (feature.id,)), False

    def wrong_choice(self, feature: str) -> Problem | None:
        """Return what is wrong with the feature that a player names."""
        if not feature and self.must_choose:
            message = say("Say which: {features}.", features=", ".join(self.pending))
            return refuse("choice_missing", message, "feature", rule="T-63")
        if feature and feature not in self.pending:
            message = say("This piece can be: {features}.", features=", ".join(self.pending))
            return refuse("bad_value", message, "feature", feature, "T-63")
        return None

    @property
    def square(self) -> str:
        """Return the square of the piece to be placed; empty: anywhere."""
        return self.squares[len(self.places)] if len(self.places) < len(self.squares) else ""

    def square_polygon(self) -> tuple[Point, ...]:
        """Return the square of the piece to be placed."""
        column, row = map(int, self.square.split("."))
        columns, rows = (_squares(edge, self.square_size) for edge in self.size)
        left, right = (rounded(self.size[0] * number, columns) for number in (column - 1, column))
        low, high = (rounded(self.size[1] * number, rows) for number in (row - 1, row))
        return rectangle(left, low, right, high)

    def lies_in_square(self, at: Point, polygon: tuple[Point, ...]) -> bool:
        """True when at least half of a piece lies in its square; without a polygon its place counts."""
        if not self.square:
            return True
        square = self.square_polygon()
        if not polygon:
            return square[0][0] <= at[0] <= square[2][0] and square[0][1] <= at[1] <= square[2][1]
        part = [exact(corner) for corner in polygon]
        for start, end in sides(square):
            part = cut(part, start, minus(end, start), 1)
        return 2 * abs(doubled_area_of(part)) >= abs(doubled_area(polygon))

    def may_confirm(self, game: Game, player: str) -> bool:
        """The other player may agree to a piece that is in no table (T-63)."""
        return self.proposed is not None and player != self.proposed.by

    def confirms(self, game: Game, player: str) -> Mapping[str, Any]:
        """A piece that the player has described; no table has it."""
        return {"what": "own_piece"}

    def confirmed(self, game: Game, player: str) -> None:
        """Both agree: place it."""
        if self.proposed is not None:
            self.place(game, self.proposed)

    def place(self, game: Game, act: PlacePiece) -> None:
        """Put the piece on the table, with its trails, and start the next."""
        id_ = str(len(self.places) + 1)
        name = act.feature or self.pending[0]
        feature = None if name == OWN else self.feature(name.split(AROUND)[0])
        self.proposed = None
        self.kinds.append(name)
        game.pieces[id_] = Piece(id=id_, polygon=act.polygon, kind=name, cover=feature is None or feature.cover)
        self.places[id_] = act.at
        trails = 0 if feature is None or AROUND in name else self._trails(game, feature, id_)
        game.emit("piece_placed", player=act.by, id=id_, feature=name, at=to_inches(act.at), trails=trails)
        self._roll_next(game)

    def _trails(self, game: Game, feature: Feature, number: str) -> int:
        label = f"trails/{number}"
        if not feature.trails or (feature.trails == COVERED and not self.column(game).covered):
            return 0
        if feature.trails == ON_FOUR and game.roll(label) < ROAD_FROM:
            return 0
        return half_up(game.roll(label))

    def lay_road(self, game: Game) -> None:
        """Lay the road of the hex."""
        self.road = True
        game.emit("road")

    def _to_place(self) -> dict[str, Any] | None:
        if not self.pending:
            return None
        number = len(self.places) + 1
        return {"n": number, "square": self.square, "rolled": self.rolled, "of": list(self.pending)}

    # --- later ---

    def can_be_cut(self, piece: Piece) -> bool:
        """True for a piece that can be burned or cut (fire lanes)."""
        return any(feature.cut for feature in self.features if feature.id == piece.kind)

    def turn_table(self, game: Game) -> None:
        """Turn everything on the table by 180 degrees (T-86)."""
        width, height = self.size
        self.places = {id_: turned(place, width, height) for id_, place in self.places.items()}
        game.pieces = {
            piece.id: replace(
                piece,
                line=tuple(turned(corner, width, height) for corner in piece.line),
                polygon=tuple(turned(corner, width, height) for corner in piece.polygon),
            )
            for piece in game.pieces.values()
        }

    def lies_beyond(self, piece: Piece, line: int, above: bool) -> bool:
        """True when most of a piece lies above (or below) a line across the table."""
        if not piece.polygon:
            y = self.places[piece.id][1]
            return y >= line if above else y <= line
        part = cut([exact(corner) for corner in piece.polygon], (0, line), (1, 0), 1 if above else -1)
        return 2 * abs(doubled_area_of(part)) > abs(doubled_area(piece.polygon))

    def track(self, game: Game, name: str, value: Any) -> bool:
        """Take how many pieces there are in a game that begins later."""
        if name != "pieces" or type(value) is not int or not 0 <= value <= MAX_ITEMS:
            return False
        self.squares = [""] * value
        return True

    def tracked(self, game: Game) -> Mapping[str, Any]:
        """Return how many pieces there are."""
        return {"pieces": len(self.squares)}

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Everyone sees the table."""
        return {
            "pieces": {
                piece.id: {
                    "kind": piece.kind,
                    "at": to_inches(self.places[piece.id]) if piece.id in self.places else None,
                    "polygon": [to_inches(corner) for corner in piece.polygon],
                    "line": [to_inches(corner) for corner in piece.line],
                }
                for piece in game.pieces.values()
            },
            "to_place": self._to_place(),
            "road": self.road,
            "own": self.own,
            "covered": self.column(game).ground if self.column(game).covered else "",
        }


def _squares(edge: int, size: int) -> int:
    """Return into how many squares an edge falls: to the nearest, halves up, at least one (T-61)."""
    return max(1, (2 * edge + size) // (2 * size))


def _middle(corners: tuple[Point, ...]) -> Point:
    return tuple(rounded(sum(corner[axis] for corner in corners), len(corners)) for axis in (0, 1))  # type: ignore[return-value]
