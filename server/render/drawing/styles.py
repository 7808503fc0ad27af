"""Style sheets and colours of the map: for pictures that stand alone, for the pages, for charts and terminals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from urllib.parse import quote

from server.render.drawing import CSS, DATA, SEATS, SYMBOLS, seat, texture_of

Palette = Mapping[str, str]
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_CLASS = re.compile(r"\.([\w-]+)")
_CLASSES = re.compile(r'class="([^"]*)"')
_VAR = re.compile(r"var\(--([\w-]+)\)")
_HEX = re.compile(r"#([0-9a-f]{6})([0-9a-f]{2})?\b|#([0-9a-f]{3})\b")
LIGHT, DARK, PRINT, AUTO = "light", "dark", "print", "auto"
"""How a picture may be coloured; :data:`AUTO` follows its reader's screen, and is light in programs that do not "
"know how."""


def _parts(colour: str) -> tuple[list[int], str]:
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)], colour[7:]


def _grey(colour: str) -> str:
    (red, green, blue), opacity = _parts(colour)
    level = round(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    return f"#{level:02x}{level:02x}{level:02x}{opacity}"


def _in_grey(css: str) -> str:
    def one(found: re.Match[str]) -> str:
        if found[3]:
            return _grey("#" + "".join(letter * 2 for letter in found[3]))
        return _grey(f"#{found[1]}{found[2] or ''}")

    return _HEX.sub(one, css)


def _fogged(colour: str, towards: str, share: float) -> str:
    """Return a colour as it looks out of sight: most of its saturation gone, and mixed with dusk."""
    channels, opacity = _parts(colour)
    middle = (max(channels) + min(channels)) / 2
    dull = [middle + (channel - middle) * (1 - DATA["fog"]["loses"]) for channel in channels]
    goal, _ = _parts(towards)
    mixed = [round(channel * (1 - share) + to * share) for channel, to in zip(dull, goal, strict=True)]
    return "#" + "".join(f"{channel:02x}" for channel in mixed) + opacity


@cache
def palette(theme: str) -> dict[str, str]:
    """Return the colours of a theme by name."""
    found = dict(DATA["palette"][DARK if theme == DARK else LIGHT])
    if theme == PRINT:
        found |= {"desk": "#ffffff", "veil": "#ffffff", "plains": "#fbfbf6"}
        return {name: _grey(colour) for name, colour in found.items()}
    return found


@cache
def fog_palette(theme: str) -> dict[str, str]:
    """Return the colours that differ out of sight."""
    fog, colours = DATA["fog"], palette(theme)
    mix = fog[DARK if theme == DARK else LIGHT]
    return {
        name: _fogged(colour, mix["towards"], mix["share"])
        for name, colour in colours.items()
        if name not in fog["keeps"]
    }


def _seat(number: int, theme: str) -> dict[str, str]:
    """Return the colours of a seat, counted from 1; of nobody for 0."""
    seat = SEATS[number - 1] if number else DATA["nobody"]
    border = seat["dark"] if theme == DARK else seat["colour"]
    found = {"seat": seat["colour"], "seat-ink": seat["ink"], "seat-border": border}
    return {name: _grey(colour) for name, colour in found.items()} if theme == PRINT else found


def _rules() -> Iterator[tuple[list[str], str]]:
    for selectors, body in _RULE.findall(CSS):
        yield [selector.strip() for selector in selectors.split(",")], " ".join(body.split())


def _filled(body: str, colours: Palette) -> str:
    return _VAR.sub(lambda found: colours[found[1]], body)


@cache
def _standing(theme: str, seats: int) -> str:
    """Return the rules of one theme with every variable filled in."""
    colours, dusk = palette(theme), fog_palette(theme)
    written = []
    for selectors, body in _rules():
        used = set(_VAR.findall(body))
        if any(name.startswith("seat") for name in used):
            for number in range(seats + 1):
                names = ",".join(f".s{number} {selector}" for selector in selectors)
                written.append(f"{names}{{{_filled(body, colours | _seat(number, theme))}}}")
            continue
        written.append(f"{','.join(selectors)}{{{_filled(body, colours)}}}")
        if used & dusk.keys():
            written.append(
                f"{','.join(f'.fg {selector}' for selector in selectors)}{{{_filled(body, colours | dusk)}}}"
            )
    written += [f".s{number}{{color:{_seat(number, theme)['seat']}}}" for number in range(seats + 1)]
    css = "".join(written)
    return _in_grey(css) if theme == PRINT else css


def standalone(theme: str, seats: int) -> str:
    """Return the style sheet of a picture that stands alone, for so many seats."""
    seats = min(max(seats, 1), len(SEATS))
    if theme != AUTO:
        return _standing(theme, seats)
    dark, paper = _standing(DARK, seats), _standing(PRINT, seats)
    return f"{_standing(LIGHT, seats)}@media (prefers-color-scheme:dark){{{dark}}}@media print{{{paper}}}"


def used_by(css: str, drawn: str) -> str:
    """Return those rules of a style sheet whose classes a drawing has: it is read faster."""
    classes = {name for found in _CLASSES.findall(drawn) for name in found.split()}
    kept = []
    for selectors, body in _RULE.findall(css):
        some = [one for one in selectors.split(",") if classes.issuperset(_CLASS.findall(one))]
        if some:
            kept.append(f"{','.join(some)}{{{body}}}")
    return "".join(kept)


def _own_name(found: re.Match[str]) -> str:
    return f"var(--m-{found[1]})"


def _variables(colours: Palette) -> str:
    return "".join(f"--m-{name}:{colour};" for name, colour in colours.items())


def _theme_rules(theme: str, root: str) -> str:
    """Return the colours of a theme as variables of the page, those of fog and of seats under names of their own."""
    written = _variables(palette(theme)) + _variables(
        {f"fog-of-{name}": colour for name, colour in fog_palette(theme).items()}
    )
    for number in range(len(SEATS) + 1):
        written += _variables({f"{name}-{number}": colour for name, colour in _seat(number, theme).items()})
    return f"{root}{{{written}}}"


@cache
def for_pages() -> str:
    """Return the style sheet of the pages' maps: the same rules with variables, for elements of SVG alone.

    An element drawn by a ``use`` knows nothing of its surroundings, so no rule names them, and colours are inherited.
    """
    light, dark, paper, system = (
        _theme_rules(theme, root)
        for theme, root in (
            (LIGHT, ":root"),
            (DARK, ':root[data-theme="dark"]'),
            (PRINT, ":root:root:root"),
            (DARK, ":root:not([data-theme])"),
        )
    )
    fog = "".join(f"--m-{name}:var(--m-fog-of-{name});" for name in fog_palette(LIGHT))
    seats = "".join(f"svg|*.s{number}{{{_own_seat(number)}color:var(--m-seat)}}" for number in range(len(SEATS) + 1))
    rules = "".join(
        f"{','.join(_of_svg(selector) for selector in selectors)}{{{_VAR.sub(_own_name, body)}}}"
        for selectors, body in _rules()
    )
    return (
        f"@namespace svg url(http://www.w3.org/2000/svg);{light}{dark}@media (prefers-color-scheme:dark){{{system}}}"
        f"@media print{{{paper}}}svg|*.fg{{{fog}}}{seats}{rules}{''.join(zoom_rules('surface'))}"
    )


def _own_seat(number: int) -> str:
    return "".join(f"--m-{name}:var(--m-{name}-{number});" for name in _seat(0, LIGHT))


def _of_svg(selector: str) -> str:
    return " ".join(f"svg|*{part}" if part.startswith(".") else f"svg|{part}" for part in selector.split())


@cache
def seat_colours() -> str:
    """Return the colours of seats for everything that names a player: chips, charts, bars; and the emblems of chips."""
    return "".join(
        f'[data-seat="{number}"]{{--seat:{seat["colour"]};--emblem:url("{_emblem(number, seat["ink"])}")}}'
        for number, seat in enumerate(SEATS, 1)
    )


def _emblem(number: int, ink: str) -> str:
    """Return the emblem of a seat as an address of its own."""
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-6 -6 12 12" fill="{ink}">{SYMBOLS[f"e-{number}"]}</svg>'
    return f"data:image/svg+xml,{quote(svg)}"


def zoom_rules(root: str) -> Iterable[str]:
    """Yield what hides, by the zoom that the class of *root* names, what is too small to be read, or needed "
    "only far away."""
    steps = sorted(DATA["zoom"].values())
    for step in steps:
        below = ",".join(f".{root}.z-{zoom} .lo{step}" for zoom in [0, *steps] if zoom < step)
        above = ",".join(f".{root}.z-{zoom} .hi{step}" for zoom in steps if zoom >= step)
        yield f"{below},{above}{{display:none}}"


INK = "#1d232b"
PAPER = palette(LIGHT)["veil"]


def player_colour(number: int) -> str:
    """Return the colour of a seat, counted from 0."""
    return seat(number)["colour"]


def player_ink(number: int) -> str:
    """Return the colour for text on a seat's colour."""
    return seat(number)["ink"]


def player_dash(number: int) -> str:
    """Return the dashes of a seat's borders, counted from 0."""
    return seat(number)["dash"]


def ground_colour(terrain: str) -> str:
    """Return the colour of a kind of terrain."""
    return palette(LIGHT)[texture_of(terrain)]
