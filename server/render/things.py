"""What stands on the land: towns, strongholds, resources, forces; each in a place of its own in its hex."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from server.render.drawing import DATA, seat
from server.render.geometry import Layout
from server.rules.board import ORBIT, Hex
from server.rules.sight import View
from server.rules.state import Convoy, Detachment, Force, Garrison, PlayerId, Unit

PLACES: dict[str, tuple[float, float]] = {
    name: tuple(place) for name, place in DATA["places"].items() if isinstance(place, list)
}
"""Where things stand in a hex, from its middle."""
DOTS, TEXTS, NAMES, FULL, CLOSE = (DATA["zoom"][step] for step in ("dots", "texts", "names", "full", "close"))
BAR = 38.0
"""Length of the bar of strength."""


class Things:
    """What stands on the map of a view, as SVG."""

    def __init__(self, view: View, layout: Layout, seats: dict[PlayerId, int], *, titles: bool) -> None:
        self.view, self.state, self.layout, self.seats, self.titles = view, view.state, layout, seats, titles
        self.seen = dict.fromkeys(view.sees)
        self.used: dict[str, None] = {}
        """Signs drawn so far; of copies in fog with ``f-`` before them."""

    # --- places ---

    def places(self) -> str:
        """Return towns, strongholds, resources, spoilt land."""
        state, drawn = self.state, []
        for hex_ in sorted(state.resource):
            level = next(n for n, resource in enumerate(state.ruleset.resources) if resource.id == state.resource[hex_])
            drawn.append(self._place(hex_, f"ore-{min(level + 1, 4)}", "resource", f"{state.resource[hex_]} resource"))
        for hex_ in sorted(state.stronghold):
            level, urban = state.ruleset.stronghold_level(state.stronghold[hex_].type), state.urban.get(hex_)
            if urban is None or not urban.capital:
                sign = f"fort-{min(max(level, 1), 3)}"
                drawn.append(self._place(hex_, sign, "stronghold" if urban else "town", state.stronghold[hex_].type))
        for hex_, urban in sorted(state.urban.items()):
            level = state.ruleset.urban_level(urban.size)
            sign = "capital" if urban.capital else f"town-{min(max(level, 1), 4)}"
            spot = "town_beside" if hex_ in state.stronghold and not urban.capital else "town"
            tip = f"{urban.size}{', capital' if urban.capital else ''}"
            drawn.append(self._place(hex_, sign, spot, tip, urban.capital))
        for hexes, sign, tip in ((state.corrupted, "rot", "corrupted"), (state.infested, "brood", "infested")):
            drawn += [self._place(hex_, sign, "spoilt", tip) for hex_ in sorted(hexes)]
        return "".join(drawn)

    def _place(self, hex_: Hex, sign: str, spot: str, tip: str, player: PlayerId = "") -> str:
        low = NAMES if sign.startswith(("town", "ore", "fort")) else DOTS
        fog = "" if hex_ in self.seen else "f-"
        self.used[fog + sign] = None
        (x, y), (dx, dy) = self.layout.centres[hex_], PLACES[spot]
        ours = f" s{self.seats[player] + 1}" if player in self.seats else ""
        home = '<circle class="home" r="34" cy="-10"/>' if player and player == self.view.viewer else ""
        title = f"<title>{escape(tip)}</title>" if self.titles else ""
        return (
            f'<g class="place lo{low}{ours}" transform="translate({x + dx:.1f} {y + dy:.1f})">{title}{home}'
            f'<use href="#{fog}{sign}"/></g>'
        )

    def numbers(self) -> str:
        """Return the number of every hex, for where there is room."""
        board, dy = self.state.board, DATA["places"]["number"]
        texts = "".join(
            f'<text x="{x:.1f}" y="{y + dy:.1f}">{board.label(hex_)}</text>'
            for hex_, (x, y) in enumerate(self.layout.centres)
        )
        return f'<g class="hex-number lo{CLOSE}">{texts}</g>'

    # --- forces ---

    def forces(self) -> str:
        """Return convoys, garrisons and detachments."""
        drawn = [self._convoys(hex_) for hex_ in sorted(self.state.convoys_at)]
        drawn += [self._shield(garrison) for _, garrison in sorted(self.state.garrison_at.items())]
        raising: dict[Hex, list[Detachment]] = {}
        for detachment in self.state.detachments.values():
            if detachment.ready_in and detachment.at != ORBIT:
                raising.setdefault(detachment.at, []).append(detachment)
        for _, some in sorted(raising.items()):
            drawn += [self._raising(detachment, place) for place, detachment in enumerate(some)]
        drawn += [self._counter(detachment) for _, detachment in sorted(self.state.detachment_at.items())]
        return "".join(drawn)

    def _group(self, thing: Force | Convoy, spot: str, inner: str, tip: str, size: float = 1.0) -> str:
        if thing.at == ORBIT:
            return ""
        (x, y), (dx, dy) = self.layout.centres[thing.at], PLACES[spot]
        mine = thing.owner == self.view.viewer
        size *= 1.0 if mine or self.view.viewer not in self.state.players else 0.93
        title = f"<title>{escape(tip)}</title>" if self.titles else ""
        scale = f" scale({size:g})" if size != 1 else ""
        return (
            f'<g class="thing s{self.seats[thing.owner] + 1} {"own" if mine else "foe"}" '
            f'data-thing="{escape(thing.id)}" '
            f'transform="translate({x + dx:.1f} {y + dy:.1f}){scale}">{title}{inner}</g>'
        )

    def _dot(self, dy: float) -> str:
        return f'<circle class="dot hi{DOTS}" cy="{-dy:g}" r="27"/>'

    def _counter(self, force: Detachment) -> str:
        number, spot = self.seats[force.owner], "counter_beside" if force.at in self.state.garrison_at else "counter"
        points, total, hurt = self._strength(force)
        kind = silhouette(force, self.state.ruleset.detachment_types[force.type].mobility)
        mine = force.owner == self.view.viewer or self.view.viewer not in self.state.players
        outline = _ROUND if mine else _CUT
        self._use(f"k-{kind}", f"e-{number % len(DATA['seats']) + 1}")
        dash = f' stroke-dasharray="{seat(number)["dash"]}"' if seat(number)["dash"] else ""
        wounded = (
            f'<g class="lo{FULL}" transform="translate(-27 -17)"><circle class="badge" r="6.4"/><use href="#drop"/></g>'
        )
        if hurt:
            self._use("drop")
        box = (
            f'<g class="lo{DOTS}"><path class="ct-shadow lo{TEXTS}" transform="translate(1.8 2.6)" d="{outline[0]}"/>'
            f'<path class="ct-rim" d="{outline[0]}"/><path class="ct-body" d="{outline[1]}"/>'
            f'<path class="ct-foot lo{TEXTS}" d="{outline[2]}"/><path class="ct-stripe" d="M-22.6-12.4V12.4"{dash}/>'
            f'<g class="ct-ink"><use class="lo{TEXTS}" href="#k-{kind}" transform="translate(-8.4 -3.6) scale(.82)"/>'
            f'<use class="hi{TEXTS}" href="#k-{kind}" transform="translate(2.6 -1) scale(1.5)"/>'
            f'<use class="lo{FULL}" href="#e-{number % len(DATA["seats"]) + 1}" transform="translate(-16.2 10.6) '
            'scale(.95)"/>'
            f'<text class="num lo{TEXTS}" x="14" y="1.2" font-size="{_fitting(points, 12)}px">{points}</text></g>'
            f"{self._bar(points, total, hurt)}</g>{wounded if hurt else ''}"
        )
        below = DATA["places"]["name_plate"] - PLACES[spot][1]
        plate = f'<text class="plate lo{CLOSE}" y="{below:g}">{escape(force.name)}</text>'
        tip = f"{force.name} ({force.owner}), {points} points"
        return self._group(force, spot, self._dot(PLACES[spot][1]) + box + plate, tip)

    def _bar(self, points: int, total: int, hurt: int) -> str:
        total = max(total, points + hurt, 1)
        fit, worse = BAR * points / total, BAR * hurt / total
        hatched = (
            f'<rect class="bar-hurt" x="{-12.5 + fit:.1f}" y="9" width="{worse:.1f}" height="4.4"/>' if hurt else ""
        )
        return (
            f'<g class="lo{TEXTS}"><rect class="bar-back" x="-12.5" y="9" width="{BAR:g}" height="4.4" rx="1"/>'
            f'<rect class="bar" x="-12.5" y="9" width="{fit:.1f}" height="4.4" rx="1"/>{hatched}</g>'
        )

    def _strength(self, force: Force) -> tuple[int, int, int]:
        """Return fit points, the points of all models it once had, and those of the wounded."""
        total = sum(unit.points for unit in force.units)
        return self.state.ready_points(force), total, sum(_hurt(unit) for unit in force.units)

    def _shield(self, force: Garrison) -> str:
        points, _, _ = self._strength(force)
        self._use("k-garrison")
        inner = (
            f'{self._dot(PLACES["shield"][1]) if force.at not in self.state.detachment_at else ""}<g class="lo{DOTS}">'
            f'<path class="ct-shadow lo{TEXTS}" transform="translate(1.4 2)" d="{_SHIELD}"/><path class="ct-rim" '
            f'd="{_SHIELD}"/>'
            f'<path class="ct-body" transform="scale(.84)" d="{_SHIELD}"/><g class="ct-ink">'
            f'<use class="lo{TEXTS}" href="#k-garrison" transform="translate(0 -6) scale(.86)"/>'
            f'<text class="num lo{TEXTS}" y="7.4" font-size="{_fitting(points, 8)}px">{points}</text></g></g>'
        )
        return self._group(force, "shield", inner, f"garrison of {force.owner}, {points} points")

    def _raising(self, force: Detachment, place: int) -> str:
        self._use("k-raising")
        alone = place == 0 and force.at not in self.state.detachment_at
        if alone:
            kind = silhouette(force, self.state.ruleset.detachment_types[force.type].mobility)
            self._use(f"k-{kind}")
            inner = (
                f'<path class="raised" d="{_ROUND[0]}"/><g class="raised-ink lo{TEXTS}">'
                f'<use href="#k-{kind}" transform="translate(-9 0) scale(.86)"/><text class="num" x="13" y="4.4" '
                f'font-size="13px">+{force.ready_in}</text></g>'
            )
        else:
            inner = (
                f'<g transform="translate({place * 3} {place * 3})"><rect class="raised" x="-8" y="-9" width="16" '
                'height="18" '
                f'rx="3"/><g class="raised-ink lo{TEXTS}"><use href="#k-raising" transform="translate(0 -3.4) '
                'scale(.6)"/>'
                f'<text class="num" y="7.4" font-size="7.5px">+{force.ready_in}</text></g></g>'
            )
        tip = f"{force.name} ({force.owner}), ready in {force.ready_in}"
        return self._group(force, "counter" if alone else "raising", f'<g class="lo{DOTS}">{inner}</g>', tip)

    def _convoys(self, hex_: Hex) -> str:
        self._use("k-convoy")
        drawn = []
        for place, convoy in enumerate(self.state.convoys_at[hex_]):
            inner = (
                f'<g class="lo{DOTS}" transform="translate({-3 * place} {5 * place})"><path class="ct-rim" '
                f'd="{_CRATE}"/>'
                f'<path class="ct-body" transform="scale(.88)" d="{_CRATE}"/><g class="ct-ink lo{TEXTS}"><use '
                'href="#k-convoy" '
                'transform="translate(.3 -3.6) scale(.84)"/><text class="num" y="8" '
                f'font-size="{_fitting(convoy.bp, 8)}px">'
                f"{convoy.bp}</text></g></g>"
            )
            drawn.append(self._group(convoy, "convoy", inner, f"convoy of {convoy.owner}, {convoy.bp} BP"))
        return "".join(drawn)

    def _use(self, *names: str) -> None:
        self.used.update(dict.fromkeys(names))


_ROUND = (
    "M-25-17H25A3 3 0 0 1 28-14V14A3 3 0 0 1 25 17H-25A3 3 0 0 1-28 14V-14A3 3 0 0 1-25-17Z",
    "M-24-15H24A2 2 0 0 1 26-13V13A2 2 0 0 1 24 15H-24A2 2 0 0 1-26 13V-13A2 2 0 0 1-24-15Z",
    "M-26 7H26V13A2 2 0 0 1 24 15H-24A2 2 0 0 1-26 13Z",
)
"""Rim, body and foot of a counter of your own."""
_CUT = (
    "M-22-17H22L28-11V11L22 17H-22L-28 11V-11Z",
    "M-21.2-15H21.2L26-10.2V10.2L21.2 15H-21.2L-26 10.2V-10.2Z",
    "M-26 7H26V10.2L21.2 15H-21.2L-26 10.2Z",
)
"""Likewise of others: with cut corners."""
_SHIELD = "M-10.4-14H10.4V2.6Q10.4 10.6 0 14.6-10.4 10.6-10.4 2.6Z"
_CRATE = (
    "M-9.6-12H9.6A2.4 2.4 0 0 1 12-9.6V8.6A2.4 2.4 0 0 1 9.6 11H-9.6A2.4 2.4 0 0 1-12 8.6V-9.6A2.4 2.4 0 0 1-9.6-12Z"
)


def _fitting(number: int, size: float) -> float:
    """Return the size of a number's digits: of four they are smaller."""
    return size if number < 1000 else size * 0.8


def _hurt(unit: Unit) -> int:
    return unit.points * unit.wounded // max(1, unit.models)


def silhouette(force: Detachment, mobility: str | None) -> str:
    """Return which silhouette shows a detachment's kind: its type's, else that of how most of its points move."""
    kinds = DATA["kinds"]
    if force.type in kinds["types"]:
        return str(kinds["types"][force.type])
    weight: dict[str, int] = {}
    for unit in force.units:
        weight[unit.mobility] = weight.get(unit.mobility, 0) + unit.points
    commonest = mobility or max(weight, key=lambda mobility: (weight[mobility], mobility), default="infantry")
    return str(kinds.get(commonest, "infantry"))


def edge_numbers(columns: int, rows: int, layout: Layout) -> Iterator[str]:
    """Yield the numbers of columns above and below the board and of rows at its sides."""
    width, height = layout.size
    digits = 3 if max(columns, rows) > 99 else 2
    top, bottom = layout.centres[:columns], layout.centres[-columns:]
    for column in range(columns):
        text = f"{column + 1:0{digits}d}"
        yield f'<text x="{top[column][0]:.1f}" y="{DATA["margin"] - 18:g}">{text}</text>'
        yield f'<text x="{bottom[column][0]:.1f}" y="{height - DATA["margin"] + 29:.1f}">{text}</text>'
    for row in range(rows):
        text, y = f"{row + 1:0{digits}d}", layout.centres[row * columns][1] + 5
        yield f'<text x="{DATA["margin"] - 22:g}" y="{y:.1f}">{text}</text>'
        yield f'<text x="{width - DATA["margin"] + 22:.1f}" y="{y:.1f}">{text}</text>'
