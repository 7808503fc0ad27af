"""Battles on the table when they are over: the result as a card, the replay, sheets to print."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import Query, Response

from server.missions import library
from server.play.context import Actor
from server.play.errors import PlayError
from server.play.messages import chronicle
from server.play.tables import reading, setting_up
from server.play.tables.access import OPEN, WATCHER
from server.play.tables.info import ResultInfo, TableInfo
from server.play.tables.missions import read_library
from server.play.tables.reading import Drawn
from server.render.png import to_png
from server.render.table.card import Card, alone, draw_card
from server.render.table.drawing import game_drawing
from server.render.table.sheet import Sheet, battle_sheet, mission_sheet, to_html
from server.render.table.sheet_pdf import to_pdf
from server.render.table.svg import draw
from server.render.translations import Translations as Story
from server.store.tables import SIDES
from server.web.frame import render_table_page, still, title, visitor
from server.web.page_context import PageContext, PageDep
from server.web.route import OPEN as TO_ALL
from server.web.route import PageRouter

router = PageRouter("/tables/{game_id}")

Watch = Annotated[str | None, Query(max_length=32)]


@router.get("/result", openapi_extra=TO_ALL)
def result(page: PageDep, game_id: str, watch: Watch = None) -> Response:
    """Show how a game ended: the card, what both sides tell, the ways on."""
    actor = visitor(page)
    found, card = _card(page, actor, game_id, watch)
    code = watch or found.watch_code
    shared = f"{page.ctx.settings.public_url}/tables/{game_id}/result" + _query(watch=code)
    stories = chronicle.of_table(page.ctx, actor, game_id, watch)
    told = {story.side for story in stories}
    content: dict[str, Any] = {
        "game": found, "title": title(page, actor, found), "told": alone(card, Story(page.t.language)),
        "shared": shared,
        "image": f"{page.ctx.settings.public_url}/tables/{game_id}/result.png{_query(watch=code)}", "stories": stories,
        "untold": [side for side in found.sides if side not in told], "query": _query(watch=watch), "watch": watch,
    }  # fmt: skip
    return render_table_page(page, "table_result.html", actor, **content)


@router.get("/result.svg", openapi_extra=TO_ALL)
def card_svg(page: PageDep, game_id: str, watch: Watch = None) -> Response:
    """Return the card of a result."""
    _, card = _card(page, visitor(page), game_id, watch)
    return still(page, draw_card(card, Story(page.t.language)), "image/svg+xml")


@router.get("/result.png", openapi_extra=TO_ALL)
def card_png(page: PageDep, game_id: str, watch: Watch = None) -> Response:
    """Return the card of a result as a picture that messengers show beside a link."""
    _, card = _card(page, visitor(page), game_id, watch)
    return still(page, to_png(draw_card(card, Story(page.t.language))), "image/png")


@router.get("/replay", openapi_extra=TO_ALL)
def replay(page: PageDep, game_id: str, watch: Watch = None) -> Response:
    """Show a game act by act, as each side saw it; once it is closed as both together knew it."""
    actor = visitor(page)
    found = setting_up.get(page.ctx, actor, game_id, watch)
    if found.status == "open":
        raise PlayError("wrong_status", "The game has not started.", field="status", value=found.status)
    closed = found.status == "closed"
    viewers = (OPEN, *SIDES, WATCHER) if closed else (*found.sides, WATCHER)
    data = {
        "id": game_id, "watch": watch, "language": page.t.language, "acts": found.acts, "viewers": viewers,
        "words": page.t.section("tt."),
    }  # fmt: skip
    content: dict[str, Any] = {"game": found, "title": title(page, actor, found), "viewers": viewers, "data": data}
    return render_table_page(page, "table_replay.html", actor, **content, query=_query(watch=watch))


@router.get("/sheet", openapi_extra=TO_ALL)
def sheet(page: PageDep, game_id: str, watch: Watch = None) -> Response:
    """Return the sheet of this battle, to print: map, rules, current tracks, the armies the reader can see."""
    return still(page, to_html(_sheet(page, visitor(page), game_id, watch)), "text/html")


@router.get("/sheet.pdf", openapi_extra=TO_ALL)
def sheet_pdf(page: PageDep, game_id: str, watch: Watch = None) -> Response:
    """Return the same as a PDF document."""
    return still(page, to_pdf(_sheet(page, visitor(page), game_id, watch)), "application/pdf")


# --- inside ---


def _query(**given: str | None) -> str:
    wanted = {name: value for name, value in given.items() if value}
    return f"?{urlencode(wanted)}" if wanted else ""


def _card(page: PageContext, actor: Actor, game_id: str, watch: str | None) -> tuple[TableInfo, Card]:
    found = setting_up.get(page.ctx, actor, game_id, watch)
    ended = found.result
    if ended is None:
        raise PlayError("wrong_status", "The battle is not over.", field="status", value=found.status)
    viewer = OPEN if found.status == "closed" else WATCHER
    drawn = reading.drawn(page.ctx, actor, game_id, viewer, watch)
    words = Story(page.t.language)
    card = Card(
        mission=found.name or drawn.mission.name.to(page.t.language),
        players={seat.side: seat.name for seat in found.seats},
        vp=ended.vp,
        winner=ended.winner,
        word=ended.word,
        rounds=ended.rounds,
        day=page.t.when(ended.ended_at).rpartition(",")[0],
        table=game_drawing(drawn.mission, drawn.view, words, drawn.pieces, drawn.players, drawn.numbers),
    )
    return found, card


def _sheet(page: PageContext, actor: Actor, game_id: str, watch: str | None) -> Sheet:
    found, language = setting_up.get(page.ctx, actor, game_id, watch), page.t.language
    if found.status == "open":
        return _sheet_before(found, language)
    drawn = reading.drawn(page.ctx, actor, game_id, OPEN if found.status == "closed" else None, watch)
    picture = draw(
        game_drawing(drawn.mission, drawn.view, Story(language), drawn.pieces, drawn.players, drawn.numbers), grey=True
    )
    players = {seat.side: seat.name for seat in found.seats}
    return battle_sheet(drawn.mission, drawn.view, players, picture, language, result=_result(page, found, drawn))


def _sheet_before(found: TableInfo, language: str) -> Sheet:
    """Return the sheet of a game that has not started: its mission, and the reader's own army."""
    own = found.setup.get("own_mission")
    known = read_library([own]) if own is not None else library()
    mission = known.get(found.mission)
    if mission is None:
        raise PlayError("wrong_status", "The game has no mission yet.", field="status", value=found.status)
    roles = dict(zip(SIDES, ("attacker", "defender"), strict=True))
    armies: dict[str, Any] = {roles[seat.side]: seat.army for seat in found.seats if seat.army is not None}
    return mission_sheet(mission, armies, language)


def _result(page: PageContext, found: TableInfo, drawn: Drawn) -> str:
    ended: ResultInfo | None = found.result
    if ended is None:
        return ""
    card = Card(
        drawn.mission.name.to(page.t.language),
        {seat.side: seat.name for seat in found.seats},
        ended.vp,
        ended.winner,
        ended.word,
        ended.rounds,
        "",
        game_drawing(drawn.mission, drawn.view, Story(page.t.language), players=drawn.players, numbers=drawn.numbers),
    )
    return alone(card, Story(page.t.language))
