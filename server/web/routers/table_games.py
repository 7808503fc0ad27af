"""Table games: the user's games, a new one, an invitation, and the page for two phones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from fastapi import Query, Response

from server.http.responses import json_response
from server.missions import library, paid_stratagems
from server.play.errors import PlayError, not_found
from server.play.tables import info, missions, reading, seats, setting_up
from server.play.tables.missions import MissionInfo
from server.play.tables.reading import Entry
from server.referee.beginning import SMALLEST_TABLE, SettingsData
from server.referee.combat_patrol.forbidden_stratagems import NearWarlord
from server.referee.mission import Mission
from server.referee.reading import MAX_INCHES, inches, schema_of
from server.referee.solo.posture import Posture
from server.referee.solo.solo_scenarios import SoloScenarios
from server.render.drawing import SEATS
from server.render.table.drawing import mission_drawing
from server.render.table.sheet import mission_sheet
from server.render.table.story import dice_label, sentence
from server.render.table.svg import draw
from server.render.translations import Translations as Story
from server.render.translations import sentences
from server.web.frame import mission_names, own_name, qr_code, render_table_page, still, title, visitor
from server.web.page_context import PageDep
from server.web.route import OPEN, PageRouter
from server.web.templating import site
from server.web.translations import languages

router = PageRouter("/tables")

WORDS = (
    "act", "act_field", "awaited_own", "awaited_their", "awaited_hint", "awaited_do", "table", "table_phase",
    "table_word", "stage", "unit_state", "unit_word", "slot", "zone",
)  # fmt: skip
"""Tables of words that the script shows."""
FAMILIES = ("combat_patrol", "crucible_of_war", "patrol", "battle", "posture")
"""Families of missions in the order in which they are offered."""
OWN = "tt."
"""Sentences of the script itself."""
RULINGS: Mapping[str, list[str]] = {
    name: schema.get("enum", ["false", "true"])
    for name, schema in schema_of(SettingsData)["properties"].items()
    if name != "patrol_phase"
}
"""Rulings to choose for a new game, with the words each may be; the first is the default."""

As = Annotated[str | None, Query(alias="as", pattern="^(red|blue|spectator|open)$")]
Watch = Annotated[str | None, Query(max_length=32)]


@router.get("", openapi_extra=OPEN)
def overview(page: PageDep, archived: bool = False) -> Response:
    """Show the user's games, and the ways into another."""
    actor = visitor(page)
    games = info.mine(page.ctx, actor, archived=archived) if actor.signed_in else []
    names = mission_names(page, actor)
    return render_table_page(page, "tables.html", actor, games=games, names=names, archived=archived, guest=actor.guest)


@router.get("/new", openapi_extra=OPEN)
def new(page: PageDep) -> Response:
    """Show what may be played: a club's own missions, too."""
    actor = visitor(page)
    known = [mission for mission in missions.listed(page.ctx, actor) if not mission.own]
    families = {family: [mission for mission in known if mission.family == family] for family in _families(known)}
    agreeable = [family for family in families if missions.to_agree_on(family)]
    content: dict[str, Any] = {
        "families": families, "agreeable": agreeable, "own": missions.own(page.ctx, actor),
        "smallest": inches(SMALLEST_TABLE), "largest": MAX_INCHES, "rulings": RULINGS,
    }  # fmt: skip
    return render_table_page(page, "tables_new.html", actor, **content)


@router.get("/missions/{mission_id}.svg", openapi_extra=OPEN)
def picture(page: PageDep, mission_id: str) -> Response:
    """Return the map of a mission of the program."""
    mission = library().get(mission_id)
    if mission is None:
        raise not_found("mission", mission_id)
    svg = draw(mission_drawing(mission, Story(page.t.language)))
    return still(page, svg, "image/svg+xml")


@router.get("/missions/uploads/{upload_id}.svg", openapi_extra=OPEN)
def own_picture(page: PageDep, upload_id: str) -> Response:
    """Return the map of a club's own mission."""
    mission = missions.uploaded(page.ctx, visitor(page), upload_id)
    return still(page, draw(mission_drawing(mission, Story(page.t.language))), "image/svg+xml")


@router.get("/join", openapi_extra=OPEN)
def enter_code(page: PageDep, code: Annotated[str, Query(max_length=40)] = "") -> Response:
    """Ask for a code, or follow it."""
    if code.strip():
        return page.redirect(f"/tables/join/{code.strip()}")
    return render_table_page(page, "table_join.html", visitor(page), invited=None, code="", mission="")


@router.get("/join/{code}", openapi_extra=OPEN)
def invitation(page: PageDep, code: str) -> Response:
    """Show what a code invites to: one name and one button."""
    actor = visitor(page)
    try:
        invited = seats.invitation(page.ctx, code)
    except PlayError as error:
        return render_table_page(page, "table_join.html", actor, invited=None, code=code, mission="", error=error)
    mission = mission_names(page, actor).get(invited.mission, "")
    return render_table_page(page, "table_join.html", actor, invited=invited, code=code, mission=mission)


@router.get("/join/{code}/code.svg", openapi_extra=OPEN)
def invitation_code(page: PageDep, code: str) -> Response:
    """Return an invitation as a picture for a camera."""
    return still(page, qr_code(f"{page.ctx.settings.public_url}/tables/join/{code[:40]}"), "image/svg+xml")


@router.get("/device", openapi_extra=OPEN)
def device(page: PageDep, code: Annotated[str, Query(max_length=40)] = "") -> Response:
    """Bring another device of a guest in: show a code, or take one."""
    return render_table_page(page, "table_device.html", visitor(page), code=code.strip())


@router.get("/device/{code}", openapi_extra=OPEN)
def take_device(page: PageDep, code: str) -> Response:
    """Go on as the guest who made a code: one button."""
    return render_table_page(page, "table_device.html", visitor(page), code=code[:40])


@router.get("/device/{code}/code.svg", openapi_extra=OPEN)
def device_code(page: PageDep, code: str) -> Response:
    """Return a code for another device as a picture for a camera."""
    return still(page, qr_code(f"{page.ctx.settings.public_url}/tables/device/{code[:40]}"), "image/svg+xml")


@router.get("/worker.js", openapi_extra=OPEN)
def worker(page: PageDep) -> Response:
    """Return the script that lets a page be opened without a network; it must lie beside the pages it serves."""
    content = site().assets.files["tabletop/worker.js"]
    headers = {"Cache-Control": "no-cache", "Content-Security-Policy": "default-src 'none'; connect-src 'self'"}
    return json_response(page.request, content, media_type="text/javascript", headers=headers)


@router.get("/{game_id}", openapi_extra=OPEN)
def game(page: PageDep, game_id: str, watch: Watch = None) -> Response:
    """Show a game: the page for the table. Its script asks the API for everything that changes."""
    actor = visitor(page)
    found = setting_up.get(page.ctx, actor, game_id, watch)
    data = {
        "id": game_id, "watch": watch, "language": page.t.language, "words": _words(page.t.language),
        "missions": mission_names(page, actor) | own_name(page, found),
        "player": actor.name, "signedIn": actor.signed_in and not actor.guest,
        "seats": {
            side: SEATS[(number - 1) % len(SEATS)]
            for side, number in reading.seat_numbers(page.ctx, actor, game_id, watch).items()
        },
    }  # fmt: skip
    return render_table_page(page, "table_game.html", actor, game=found, data=data, title=title(page, actor, found))


@router.get("/{game_id}/mission.svg", openapi_extra=OPEN)
def map_before(page: PageDep, game_id: str, watch: Watch = None) -> Response:
    """Return the map of the mission that a game is set up with, with its terrain, before it starts."""
    mission, pieces = setting_up.map_before(page.ctx, visitor(page), game_id, watch)
    return still(page, draw(mission_drawing(mission, Story(page.t.language), pieces)), "image/svg+xml")


@router.get("/{game_id}/log.json", openapi_extra=OPEN)
def log(
    page: PageDep, game_id: str, after: Annotated[int, Query(ge=-2, le=100_000)] = -2, as_: As = None,
    watch: Watch = None,
) -> Response:  # fmt: skip
    """Return what happened, in sentences, with the dice that were rolled."""
    actor = visitor(page)
    entries = reading.log(page.ctx, actor, game_id, first=after + 1, as_=as_, watch=watch)
    mission = reading.drawn(page.ctx, actor, game_id, as_, watch).mission
    language = page.t.language
    names = mission_names(page, actor) | {one.id: one.name.to(language) for one in mission.stratagems}
    names |= {one.id: one.name.to(language) for one in paid_stratagems(mission)}
    units = names | reading.unit_names(page.ctx, actor, game_id, as_, watch)
    players = {seat.side: seat.name for seat in setting_up.get(page.ctx, actor, game_id, watch).seats}
    story = Story(language)
    return json_response(page.request, {"items": [_log_entry(entry, story, units, players) for entry in entries]})


@router.get("/{game_id}/mission.json", openapi_extra=OPEN)
def rules(page: PageDep, game_id: str, as_: As = None, watch: Watch = None) -> Response:
    """Return what players must know of the mission: its rules in lines, its stratagems."""
    mission = reading.drawn(page.ctx, visitor(page), game_id, as_, watch).mission
    return json_response(page.request, _rules(mission, page.t.language))


# --- inside ---


def _families(known: Sequence[MissionInfo]) -> list[str]:
    """Return the families there are, ours first, in the order in which they are offered."""
    others = dict.fromkeys(mission.family for mission in known if mission.family not in FAMILIES)
    return [family for family in FAMILIES if any(mission.family == family for mission in known)] + list(others)


def _words(language: str) -> dict[str, str]:
    """Return every word and sentence that the script shows."""
    known = {**languages()["en"], **languages()[language]}
    own = {key: text for key, text in known.items() if key.startswith(OWN)}
    story = {**sentences("en"), **sentences(language)}
    return own | {key: text for key, text in story.items() if key.partition(".")[0] in WORDS}


def _log_entry(entry: Entry, story: Story, units: Mapping[str, str], players: Mapping[str, str]) -> dict[str, Any]:
    happened = [event for event in entry.events if event["type"] != "dice"]
    return {
        "number": entry.number, "by": entry.by, "at": entry.at, "awaited": entry.awaited,
        "act": (entry.act or {}).get("do"),
        "lines": [sentence(event, story, units, players) for event in happened],
        "kinds": [event["type"] for event in happened],
        "secret": [bool(event.get("secret")) for event in happened],
        "dice": list(_dice(entry, story, units, players)),
    }  # fmt: skip


def _dice(entry: Entry, story: Story, units: Mapping[str, str], players: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    for event in entry.events:
        if event["type"] == "dice":
            label = dice_label(event["label"], story, units, players)
            yield {"label": label, "face": event["face"], "again": bool(event.get("again"))}


def _rules(mission: Mission, language: str) -> dict[str, Any]:
    shown = mission_sheet(mission, {}, language)
    known = {data.id: line for data, line in zip(mission.stratagems, shown.stratagems, strict=True)}
    return {
        "title": shown.title, "briefing": shown.briefing, "rules": list(shown.rules), "rounds": shown.rounds,
        "edges": {role: list(edges) for role, edges in mission.edges.items()}, "family": mission.family,
        "phases": list(mission.phases),
        "solo": _solo(mission, language),
        "paid": [{"id": one.id, "name": one.name.to(language), "cp": one.cp} for one in paid_stratagems(mission)],
        "near": {rule.stratagem: inches(rule.within) for rule in _near_warlord(mission)},
        "stratagems": {
            id_: {"name": line.name, "side": line.side, "cost": line.cost, "text": line.text}
            for id_, line in known.items()
        },
    }  # fmt: skip


def _near_warlord(mission: Mission) -> Iterator[NearWarlord]:
    for rule in mission.rules:
        if rule.kind is NearWarlord:
            yield NearWarlord(**rule.values)


def _solo(mission: Mission, language: str) -> dict[str, Any] | None:
    """Return what a player against the dice reads: postures with their actions, scenarios, grounds; None: two play."""
    values = {rule.kind: rule.values for rule in mission.rules}
    if Posture not in values or SoloScenarios not in values:
        return None
    posture, found = Posture(**values[Posture]), SoloScenarios(**values[SoloScenarios])
    return {
        "postures": [
            {"name": one.name, "from": one.from_score, "actions": list(one.actions)} for one in posture.postures
        ],
        "grounds": {
            one.id: {"text": one.text.to(language), "details": [line.to(language) for line in one.details]}
            for one in found.grounds
        },
        "scenarios": {
            one.id: {"text": one.text.to(language), "objectives": [goal.text.to(language) for goal in one.objectives]}
            for one in found.scenarios
        },
    }
