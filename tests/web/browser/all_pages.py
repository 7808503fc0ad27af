"""Every page of the site, in a world in which each has something to show: one list for checks and for pictures.

The list is made of the routes of the app. A page whose address holds a name that is not filled in here fails the tests
that walk; all others are covered by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

import httpx2
from fastapi.routing import iter_route_contexts
from fastapi.testclient import TestClient
from playwright._impl._api_structures import SetCookieParam
from playwright.sync_api import Page

from server.bots import commander
from server.http.signing import COOKIE
from server.play.accounts import accounts, links, tokens
from server.play.campaigns import campaign_start, campaigns, seats
from server.play.campaigns.campaigns import NewCampaign
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.game_masters import handover
from server.play.messages import chronicle, messages
from server.play.messages.chronicle import StoryText
from server.play.operating import user_admin
from server.play.orders import orders
from server.play.people import guests
from server.play.views import positions
from server.web.site import pages
from tests.api.people import PASSWORD, Person
from tests.api.tables import get_ready, own_table
from tests.web import battlefield
from tests.web.browser.conftest import Site

SEATS = {"p1": ("Ann", "orks"), "p2": ("Ben", "eldar"), "p3": ("Cleo", "imperial_guard"), "p4": ("Dan", "chaos")}
GAME_MASTER, GUEST, STRANGER = "Gwen", "Robin", ""
MAX_PHASES = 60
NO_PAGES = (".svg", ".png", ".json", ".ics", ".toml", ".pdf", ".js")
"""How addresses of what is no page end."""
READY = {
    "#table": "html[data-ready=table]",
    "#replay[data-campaign]": "#replay[data-ready]",
    "#tt-bar": "#tt-bar *",
}
"""What a page has once its script has drawn what it has."""
_NAME = re.compile(r"\{(\w+)(?::\w+)?\}")


@dataclass(frozen=True, slots=True)
class Stop:
    """A page to look at."""

    name: str
    """What its picture is called."""
    address: str
    visitor: str


@dataclass(slots=True)
class World:
    """A site with campaigns in every state, games on the table, letters, stories."""

    site: Site
    people: dict[str, Actor] = field(default_factory=dict)
    secrets: dict[str, str] = field(default_factory=dict)
    main: str = ""
    """A campaign of four, just after a battle of Ann's."""
    lobby: str = ""
    watched: str = ""
    """A campaign whose game master sees all orders."""
    ended: str = ""
    reported: battlefield.Battlefield | None = None
    """A campaign that waits for the result of a battle on the table."""
    values: dict[str, str] = field(default_factory=dict)
    """What fills the names in addresses."""

    @property
    def ctx(self) -> AppContext:
        """The site's use cases."""
        return self.site.ctx

    def place(self, what: str) -> str:
        """Return the hex of Ann's ``capital``, or of a ``force`` of hers that is not in it."""
        view = positions.position(self.ctx, self.people["Ann"], self.main).view
        board = view.state.board
        capital = view.state.capital(view.viewer)
        assert capital is not None
        if what == "capital":
            return board.label(capital)
        mine = [detachment.at for detachment in view.state.detachments.values() if detachment.owner == view.viewer]
        return board.label(next(at for at in mine if at != capital))

    def play_on(self, phase: str) -> None:
        """Play the campaign of four on to a phase."""
        for _ in range(MAX_PHASES):
            if campaigns.get(self.ctx, self.people["Ann"], self.main).phase == phase:
                return
            _pass(self, self.main)
        raise AssertionError(f"no {phase} in {MAX_PHASES} phases")

    def stops(self) -> Iterator[Stop]:
        """Return every page, in the order of the addresses."""
        paths = {
            route.path
            for route in iter_route_contexts(pages.routes)
            if route.path and "GET" in (route.methods or ()) and not route.path.endswith(NO_PAGES)
        }
        for path in sorted(paths):
            values, visitor = self._special().get(path, ({}, ""))
            yield Stop(_name(path), _filled(path, self.values | values), visitor or _visitor(path))
        yield from self._more()

    def _special(self) -> dict[str, tuple[dict[str, str], str]]:
        """Return where a page needs another campaign or another visitor than most."""
        assert self.reported is not None
        hex_ = next(iter(self.reported.battles()))
        lobby, ended = {"campaign_id": self.lobby}, {"campaign_id": self.ended}
        gm = "/campaigns/{campaign_id}/gm"
        return {
            f"{gm}/start": (lobby, ""),
            "/campaigns/{campaign_id}/invite": (lobby, GAME_MASTER),
            "/campaigns/{campaign_id}/invite/who": (lobby, GAME_MASTER),
            "/campaigns/{campaign_id}/outcome": (ended, ""),
            "/campaigns/{campaign_id}/outcome/film.gif": (ended, ""),
            "/keep": ({}, GUEST),
            "/play": ({}, STRANGER),
            f"{gm}/publish": (ended, ""),
            f"{gm}/archive": (ended, ""),
            f"{gm}/delete": (ended, ""),
            f"{gm}/battles/{{hex_}}": ({"campaign_id": self.reported.id, "hex_": hex_}, ""),
            f"{gm}/orders": ({"campaign_id": self.watched}, ""),
            "/campaigns/{campaign_id}/offer": ({}, "Ben"),
            "/campaigns/{campaign_id}/leave": ({}, "Dan"),
            "/tables/join/{code}": ({"code": self.values["table_code"]}, STRANGER),
        }

    def _more(self) -> Iterator[Stop]:
        """Yield pages that one address shows in several states."""
        assert self.reported is not None
        yield Stop("home-of-strangers", "/", STRANGER)
        yield Stop("play-with-friends", "/play?with=friends", STRANGER)
        yield Stop("home-of-guests", "/", GUEST)
        yield Stop("campaign-lobby", f"/campaigns/{self.lobby}", GAME_MASTER)
        yield Stop("campaign-ended", f"/campaigns/{self.ended}", "Ann")
        yield Stop("battles-to-report", f"{self.reported.path}/battles", "Ann")
        yield Stop("table-spectator", f"/campaigns/{self.main}/table", STRANGER)
        yield Stop("table-game-open", f"/tables/{self.values['open_game']}", "Ann")
        yield Stop("not-found", "/campaigns/nowhere", "Ann")


def build(site: Site) -> World:
    """Make everything. Takes some seconds."""
    world = World(site)
    world.reported = battlefield.begin(site.ctx, until="report")
    world.secrets.update(world.reported.secrets)
    user_admin.set_admin(site.ctx, None, GAME_MASTER, True)
    for name in ("Cleo", "Dan"):
        world.secrets[name] = accounts.sign_up(site.ctx, name, PASSWORD).token.secret
    world.secrets[GUEST] = guests.create(site.ctx, GUEST).token.secret
    world.people = {name: tokens.authenticate(site.ctx, secret) for name, secret in world.secrets.items()}
    world.main = _main(world)
    _letters(world)
    _others(world)
    _games(world)
    return world


def cookie(world: World, visitor: str) -> SetCookieParam:
    """Return the cookie that signs somebody in, as Playwright takes it."""
    return {"name": COOKIE, "value": world.secrets[visitor], "url": world.site.url}


def ready(page: Page) -> None:
    """Wait until a page shows what it has."""
    for part, sign in READY.items():
        if page.locator(part).count():
            page.locator(sign).first.wait_for(state="attached")


def _main(world: World) -> str:
    ctx, gwen = world.ctx, world.people[GAME_MASTER]
    told = "Four marches meet at one river.\n\nWe play **two phases** a week, and drink to the fallen on Fridays."
    new = NewCampaign(
        "The Winter War",
        scenario="four-corners",
        description=told,
        rules={"turn_limit": 20},
        options={"deadlines": {"kind": "rolling", "hours": 72}},
    )
    made = campaigns.create(ctx, gwen, new).id
    for seat, (name, faction) in SEATS.items():
        seats.join(ctx, world.people[name], made, faction=faction, seat=seat, code=_code(ctx, gwen, made))
    campaign_start.start(ctx, gwen, made)
    untold = _play(world, made)
    written = StoryText(
        "The mill at dawn", "We came over the frost with the sun behind us. They held **longer** than I thought."
    )
    chronicle.tell_of_battle(ctx, world.people["Ann"], made, untold[-1].turn, untold[-1].hex, written)
    left = chronicle.untold(ctx, world.people["Ann"], made)
    number = campaigns.get(ctx, gwen, made).phase_number
    world.values = {
        "campaign_id": made, "player_id": "p2", "number": str(number - 1), "turn": str(left[0].turn),
        "hex": left[0].hex, "ruleset": "wh40k-2001",
    }  # fmt: skip
    return made


def _code(ctx: AppContext, gwen: Actor, campaign_id: str) -> str:
    return seats.invite_by_code(ctx, gwen, campaign_id).code


def _play(world: World, made: str) -> list[chronicle.UnreportedBattle]:
    """Play until Ann has fought twice, and once more in the turn that is just over."""
    ctx, ann = world.ctx, world.people["Ann"]
    for _ in range(MAX_PHASES):
        info = campaigns.get(ctx, ann, made)
        if info.phase == "build" and info.turn is not None and info.turn > 3:
            untold = chronicle.untold(ctx, ann, made)
            if len(untold) > 1 and untold[0].turn == info.turn - 1:
                return untold
        _pass(world, made)
    raise AssertionError(f"Ann does not fight in {MAX_PHASES} phases")


def _pass(world: World, made: str) -> None:
    """Have everybody order as computer players do, until the phase is over."""
    ctx, ann = world.ctx, world.people["Ann"]
    number = campaigns.get(ctx, ann, made).phase_number
    for name, _ in SEATS.values():
        if campaigns.get(ctx, ann, made).phase_number == number:
            _order(ctx, world.people[name], made)


def _order(ctx: AppContext, actor: Actor, made: str) -> None:
    try:
        if not orders.read(ctx, actor, made).wanted:
            return
    except PlayError:
        return
    chosen = commander.choose(positions.position(ctx, actor, made).view)
    orders.replace(ctx, actor, made, chosen, final=True, lenient=True)


def _letters(world: World) -> None:
    ctx, made = world.ctx, world.main
    messages.send(
        ctx,
        world.people["Ben"],
        made,
        ["p1"],
        "Your boys stand on my bridge.\n\nTake them home, or I sink it under them.",
        subject="The bridge",
        in_character=True,
    )
    messages.send(ctx, world.people["Cleo"], made, ["all"], "Shall we play on Thursday this week?", subject="Thursday")
    handover.offer(ctx, world.people[GAME_MASTER], made, "Ben", "I move house in spring.")


def _others(world: World) -> None:
    """Make a campaign that has not begun, one that has, and one that is over."""
    ctx, gwen, ann = world.ctx, world.people[GAME_MASTER], world.people["Ann"]
    for name, attribute in (("Spring Offensive", "lobby"), ("The Long Siege", "watched"), ("The Old War", "ended")):
        new = NewCampaign(name, scenario="the-pass", ruleset="wh40k-2001", options={"gm_sees_orders": True})
        made = campaigns.create(ctx, gwen, new).id
        setattr(world, attribute, made)
        code = _code(ctx, gwen, made)
        seats.join(ctx, ann, made, faction="orks", code=code)
        seats.join(ctx, world.people["Ben"], made, faction="eldar", code=code)
    world.values["code"] = _code(ctx, gwen, world.lobby)
    for made in (world.watched, world.ended):
        campaign_start.start(ctx, gwen, made)
    campaigns.finish(ctx, gwen, world.ended)


def _games(world: World) -> None:
    """Make a game on the table that is over, one that is being played, and one that waits for somebody."""
    client = cast(TestClient, httpx2.Client(base_url=world.site.url))
    ann = Person(client, "Ann", world.secrets["Ann"])
    over = f"/tables/{ann.post('/tables', {'mission': 'posture'})['id']}"
    ann.put(f"{over}/seats/blue/army", {"lines": "12 First Platoon, 100 points"})
    get_ready({"red": ann}, over)
    ann.post(f"{over}/start", status=200)
    for number, do in enumerate(("roll_terrain", "roll_scenario", "end_now")):
        ann.post(f"{over}/acts", {"expected": number, "act": {"do": do}})
    ann.post(f"{over}/confirm", {}, status=200)
    waiting = ann.post("/tables", {"mission": "meat_grinder"})
    world.values |= {
        "game_id": over.rpartition("/")[2],
        "side": "red",
        "user_id": world.people["Ann"].user_id,
        "open_game": own_table(ann, start=True),
        "table_code": waiting["join_code"],
    }
    client.close()
    world.values["token"] = links.sign_in_link(world.ctx, "Dan")


def _name(path: str) -> str:
    """Return what the picture of a page is called: its address without what is filled in."""
    words = [part.strip("{}").partition(":")[0] for part in path.split("/") if part]
    return "-".join(word for word in words if word not in ("campaign_id", "game_id")) or "home"


def _filled(path: str, values: Mapping[str, str]) -> str:
    missing = [name for name in _NAME.findall(path) if name not in values]
    assert not missing, f"{path}: say in all_pages.py what {missing} is, so that the page is walked"
    found = _NAME.sub(lambda name: values[name[1]], path)
    asked = "?of=5.1" if path.endswith("/piece") else f"?token={values['token']}" if path == "/link" else ""
    return found + asked


def _visitor(path: str) -> str:
    if path.startswith(("/sign-", "/link", "/mail-link")):
        return STRANGER
    return GAME_MASTER if path.startswith("/admin") or "/gm" in path else "Ann"
