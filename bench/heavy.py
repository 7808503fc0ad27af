"""What the largest input of each kind costs that one account may send: processor time, and memory beyond the rest.

Each runs in a process of its own (``python -m bench.heavy NAME``), on input made before the clock starts.
"""

from __future__ import annotations

import gc
import io
import random
import subprocess
import sys
import zipfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace as with_fields
from datetime import UTC, datetime
from pathlib import Path
from time import process_time
from typing import Any

import orjson

from bench.measure import Result
from server.play.context import AppContext
from server.rules.sight import View
from server.rules.state import State
from server.settings import Settings
from server.store.database import Database

SECONDS, MEGABYTES = 2.0, 100.0
"""None may take more."""

KEPT = ExitStack()
"""Databases, until this process ends."""

Work = Callable[[], object]


def own_map() -> Work:
    """Check a map of as many hexes as are allowed, with 24 starts."""
    from server.play.campaigns import catalog

    data, hexes = large_map(24), Settings(_env_file=None).own_map_hexes
    return lambda: catalog.check_scenario("own", data, "", None, hexes=hexes)


def picture_of_a_map() -> Work:
    """Draw the same map."""
    from server import rulesets
    from server.scenarios import reader
    from server.web.presenters.scenario_cards import drawn

    plan, rules = reader.read(large_map(24), "own"), rulesets.load("wh40k-2001")
    return lambda: drawn(plan, rules)


def large_map(seats: int) -> dict[str, Any]:
    """Return a map of 200 x 200 hexes of mixed land."""
    dice, side = random.Random(1), 200
    letters = {"f": "forest", "h": "hills", ".": "plains", "s": "swamp"}
    starts = [
        {"name": f"S{seat}", "centre": f"{seat % 5 * 40 + 20:03d}{seat // 5 * 40 + 20:03d}", "radius": 3}
        for seat in range(seats)
    ]
    rows = ["".join(dice.choice("fh...s") for _ in range(side)) for _ in range(side)]
    return {"format": 1, "title": "Large", "ruleset": "wh40k-2001", "terrain": letters, "board": rows, "starts": starts}


def _settled() -> State:
    """Return the first Build phase on the same map, with almost all of its land one player's, and BP for anything."""
    from server import rulesets
    from server.core.dice import SeededDice
    from server.rules.phases import begin, resolve
    from server.rules.state import Settings as Rules
    from server.scenarios import reader
    from server.scenarios.begin import initial_state

    rules = rulesets.load("wh40k-2001")
    factions = list(rules.factions)
    players = [(f"p{seat + 1}", factions[seat % len(factions)]) for seat in range(24)]
    state = initial_state(reader.read(large_map(24), "own"), rules, Rules(), players, id_key=b"heavy")
    state = resolve(begin(state, SeededDice(b"1")).state, {}, SeededDice(b"2")).state
    state.owner = [owner or "p1" for owner in state.owner]
    state.store = dict.fromkeys(state.store, 10**6)
    return state


def build_options() -> Work:
    """Offer everything that may be built there: 39,000 options."""
    from server.rules.options import legal_orders
    from server.rules.sight import view_for

    state = _settled()
    return lambda: legal_orders(view_for(state, (), "p1"))


def build_draft() -> Work:
    """Preview as many orders as are allowed there, and offer everything after them."""
    from server.rules.drafting import draft
    from server.rules.orders.sets import MAX_ORDERS
    from server.rules.sight import view_for

    view = view_for(_settled(), (), "p1")
    roads = _roads(view, MAX_ORDERS)
    return lambda: draft(view, roads)


def build_phase() -> Work:
    """Resolve a phase with as many orders of that player."""
    from server.core.dice import SeededDice
    from server.rules.orders.sets import MAX_ORDERS
    from server.rules.phases import resolve
    from server.rules.sight import view_for

    state = _settled()
    roads = _roads(view_for(state, (), "p1"), MAX_ORDERS)
    return lambda: resolve(state, {"p1": roads}, SeededDice(b"3"))


def _roads(view: View, most: int) -> list[dict[str, Any]]:
    from server.rules.options import legal_orders

    found = [option for option in legal_orders(view) if option["order"]["type"] == "build_road"][:most]
    return [option["order"] | {name: values[0] for name, values in option["choices"].items()} for option in found]


def campaign_start() -> Work:
    """Start a campaign on it in a database, with 24 players."""
    from server.play.campaigns import campaign_start, campaigns, seats
    from server.play.campaigns.campaigns import NewCampaign
    from tests.play.conftest import person

    ctx = _empty()
    gm = person(ctx, "Gwen")
    id_ = campaigns.create(ctx, gm, NewCampaign("Large", "large", ruleset="wh40k-2001", scenario_data=large_map(24))).id
    for seat in range(24):
        seats.join(ctx, person(ctx, f"Player {seat}"), id_, faction="orks", seat=f"p{seat + 1}")
    return lambda: campaign_start.start(ctx, gm, id_)


def record() -> Work:
    """Import a record of a whole campaign: each of its phases is played once more."""
    from server.play.archive.record_import import import_
    from tests.play.conftest import person

    data = (Path(__file__).parents[1] / "tests/play/records/first-readings.sealed").read_bytes()
    ctx = _empty()
    ann = with_fields(person(ctx, "Ann"), admin=True)  # it is of a campaign that runs
    return lambda: import_(ctx, ann, data)


def hostile_record() -> Work:
    """Read a record as large as is allowed: a long text, which takes four times its bytes, and as many values."""
    import zlib

    from server.play.archive.record_files import BYTES_OF_A_VALUE
    from server.play.archive.record_import import import_
    from server.play.errors import PlayError
    from tests.play.conftest import person

    most = Settings(_env_file=None).import_unpacked
    lists = b"[]," * (most // BYTES_OF_A_VALUE // 2 - 10)
    head = b'{"format":"sealed-orders-campaign","version":2,"lists":[' + lists + b'0],"text":"'
    content = head + "\U0001f600".encode() + b"a" * (most - len(head) - 10) + b'"}'
    data, ctx = zlib.compress(content, 0), _empty()
    eve = person(ctx, "Eve")

    def work() -> None:
        try:
            import_(ctx, eve, data)
        except PlayError:
            return

    return work


def _empty() -> AppContext:
    """Return what use cases need, with an empty database."""
    from tests.store import databases

    url = KEPT.enter_context(databases.migrated("sqlite", "heavy"))
    return AppContext(Database(url), Settings(_env_file=None), clock=lambda: datetime(2040, 1, 1, tzinfo=UTC))


def roster_as_xml() -> Work:
    """Read a packed roster of 20,000 selections."""
    from server.play.rosters.reading import MAX_ELEMENTS, read_roster

    inside = '<selection name="Squad" type="unit" number="10"><costs><cost name="pts" value="5"/></costs></selection>'
    xml = "<roster name='x'><forces><force><selections>{}</selections></force></forces></roster>"
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x.ros", xml.format(inside * (MAX_ELEMENTS - 10)))
    return lambda: read_roster(file.getvalue())


def roster_as_json() -> Work:
    """Read a list of New Recruit with as many objects as are allowed."""
    from server.play.rosters.reading import MAX_ELEMENTS, read_roster

    inside = {
        "name": "S",
        "type": "unit",
        "number": 1,
        "costs": [{"name": "pts", "value": 5}] * 3,
        "categories": [{}] * 5,
    }
    content = orjson.dumps({"forces": [{"selections": [inside] * (MAX_ELEMENTS - 100)}]})
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x.json", content)
    return lambda: read_roster(file.getvalue())


def roster_as_text() -> Work:
    """Read a pasted list of as many lines and characters as are allowed."""
    from server.play.rosters.reading import read_roster

    end = "x" * 300
    text = "\n".join(f"{number}x Squad with [very] (long) names, {end} [{number} pts]" for number in range(4000))
    return lambda: read_roster(text.encode()[:1_500_000])


def names_in_a_body() -> Work:
    """Read a body with as many names as are allowed, and refuse each of them."""
    from server.api.bodies import MAX_IN_OBJECT, parse
    from server.api.routers.campaigns import CampaignWanted

    body = orjson.dumps({f"name {number}": number for number in range(MAX_IN_OBJECT)})

    def work() -> None:
        try:
            CampaignWanted.model_validate(parse(body))
        except ValueError as error:
            error.errors()  # type: ignore[attr-defined]

    return work


def picture() -> Work:
    """Make a transparent PNG of as many pixels as are allowed anew."""
    return _picture("PNG", "RGBA")


def picture_as_webp() -> Work:
    """The same of a WebP."""
    return _picture("WEBP", "RGBA")


def photo() -> Work:
    """The same of a JPEG of 50 million pixels, as phones make them."""
    return _picture("JPEG", "RGB", 50_000_000)


def _picture(kind: str, mode: str, pixels: int = 0) -> Work:
    from PIL import Image

    from server.play.messages.pictures import MAX_WHOLE, reencode

    side, file = int((pixels or MAX_WHOLE[kind]) ** 0.5), f"/tmp/heavy-{kind}"
    maker = f"from PIL import Image; Image.new({mode!r}, ({side}, {side}), 'red').save({file!r}, {kind!r})"
    subprocess.run([sys.executable, "-c", maker], check=True)  # the whole picture is another process's
    with open(file, "rb") as found:
        data = found.read()
    small = io.BytesIO()
    Image.new("RGB", (64, 64)).save(small, "JPEG")
    reencode(small.getvalue())
    return lambda: reencode(data)


def mission() -> Work:
    """Check a mission of as many characters as are allowed, of tables and dotted keys."""
    from server.play.errors import PlayError
    from server.play.tables import missions

    line = ".".join(["a"] * 100)
    text = "\n".join(f"{line}{number} = 1" for number in range(950))

    def work() -> None:
        try:
            missions.check(text)
        except PlayError:
            return

    return work


def ruleset() -> Work:
    """Read a ruleset of as many bytes as are allowed."""
    from server.play.campaigns import catalog

    line = ".".join(["a"] * 100)
    text = "\n".join(f"{line}{number} = 1" for number in range(4800))
    return lambda: catalog.read_ruleset(text.encode())


OPERATIONS: dict[str, Callable[[], Work]] = {
    made.__name__: made
    for made in (
        own_map, picture_of_a_map, build_options, build_draft, build_phase, campaign_start, record, hostile_record,
        roster_as_xml, roster_as_json, roster_as_text, names_in_a_body, picture, picture_as_webp, photo, mission,
        ruleset,
    )
}  # fmt: skip


def heavy() -> list[Result]:
    """Measure each."""
    found = []
    for name, made in OPERATIONS.items():
        run = subprocess.run([sys.executable, "-m", "bench.heavy", name], capture_output=True, text=True, check=True)
        seconds, megabytes = map(float, run.stdout.split())
        what = str(made.__doc__).splitlines()[0]
        met = seconds <= SECONDS and megabytes <= MEGABYTES
        aim = f"{SECONDS:.0f} s, {MEGABYTES:.0f} MB"
        found.append(Result(name.replace("_", " "), what, f"{seconds:.2f} s, {megabytes:.0f} MB", aim, met))
    return found


def _memory(name: str) -> float:
    """Return what Linux says of this process, in MB: ``VmRSS`` is what it has, ``VmHWM`` the most it has had."""
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name)) / 2**10


if __name__ == "__main__":
    work = OPERATIONS[sys.argv[1]]()
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5", "ascii")  # the most it has had is what it has now
    before, started = _memory("VmRSS"), process_time()
    work()
    print(process_time() - started, max(0.0, _memory("VmHWM") - before))
    KEPT.close()
