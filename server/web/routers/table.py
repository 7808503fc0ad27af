"""The map page: a campaign's map and the player's orders, written by the scripts of ``static/table``; its news."""

from __future__ import annotations

import json
from dataclasses import asdict
from io import BytesIO
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import Query, Response

from server.play.campaigns.campaign_info import CampaignInfo, player_names
from server.play.errors import PlayError
from server.play.messages import messages
from server.play.messages.messages import MessageInfo
from server.play.views import history, positions
from server.play.views.history import PastPhase, PhaseInfo
from server.render.naming import names_in
from server.render.translations import ruleset_names
from server.rulebook.economy import effects
from server.rulebook.markdown import TableTranslations
from server.rules.odds import Odds, odds
from server.rules.orders import registry
from server.rules.ruleset import Ruleset
from server.rules.sight import View
from server.rules.state import Battle, State
from server.web.frame import campaign_page, started
from server.web.page_context import PageContext, PageDep
from server.web.presenters.film import Film, film, scenes
from server.web.presenters.fought_battles import battle_results
from server.web.presenters.letters import unread
from server.web.presenters.map_data import PICTURES_DATA, about
from server.web.presenters.phase_outcome import Result, dated, letters, results, without_repeated_places
from server.web.presenters.reader import Reader
from server.web.presenters.score import Score, score
from server.web.route import HEAVY, OPEN, PageRouter
from server.web.routers.reports import finished
from server.web.templating import script_data, site

router = PageRouter("/campaigns/{campaign_id}/table")

ORDERS = script_data(registry.description())
"""Kinds of orders and what units may be, for the scripts that write them."""


@router.get("", openapi_extra=OPEN)
def table(page: PageDep, campaign_id: str) -> Response:
    """Show the map of a campaign that has started, with the person's orders if they have a seat."""
    found = started(page, campaign_id)
    modules = sorted(name for name in site().assets.files if name.startswith("table/"))
    asked = _asked(found, page.seat)
    view = seen(page, found)
    return campaign_page(
        page,
        "table.html",
        found,
        "table",
        about=about(page, found) | {"buildings": _effects(view.state.ruleset, page.t.language)},
        pictures=PICTURES_DATA,
        orders=ORDERS,
        modules=modules,
        asked=asked,
        score=score_of(page, found, view),
    )


def _effects(rules: Ruleset, language: str) -> dict[str, str]:
    """Return what each building does, as the rulebook says it."""
    t = TableTranslations(language)
    return {building.id: "; ".join(effects(rules, building, t)) for building in rules.buildings.values()}


def _asked(campaign: CampaignInfo, seat: str | None) -> list[str]:
    """Return what the scripts will ask the API for first, word for word: the browser may begin before they run."""
    mine = campaign.your_seats
    chosen = seat if seat in mine else ""
    viewer = f"?as={quote(chosen or mine[0])}" if len(mine) > 1 else ""
    picture = f"map.svg{viewer}{'&' if viewer else '?'}live=true"
    found = [f"view{viewer}", picture, "board", "ruleset"]
    if mine and campaign.phase is not None:
        found.append(f"orders{PageContext.seat_query(chosen)}")
    return [f"/api/v1/campaigns/{campaign.id}/{path}" for path in found]


news = PageRouter("/campaigns/{campaign_id}/table")

MAX_PHASES = 8
"""Phases in a list; earlier ones are in the reports."""
MAX_BATTLES = 3
"""Battle phases that are looked through for the last battle."""
Number = Annotated[int | None, Query(ge=0, lt=2**31)]


@news.get("/results.json", openapi_extra=OPEN)
def results_json(
    page: PageDep, campaign_id: str, since: Number = None, until: Number = None, branch: Number = None
) -> Response:
    """Return what happened after phase *since* up to *until*, as a list to walk through; of the last phase by default.

    The answer has ``first`` and ``last`` phase, ``stage``, both in words, ``items`` and ``battle``: the last one there
    was. ``brief`` says that battle in a few words.
    """
    campaign = started(page, campaign_id)
    viewer = _viewer(page, campaign)
    phases = finished(page, campaign, branch)
    upto = [phase for phase in phases if until is None or phase.number <= until] or phases[:1]
    wanted = [phase for phase in upto if since is not None and phase.number > since][-MAX_PHASES:] or upto[-1:]
    found = list(_results_of(page, campaign, wanted, branch, viewer))
    if until is None and campaign.your_seats:
        found += letters(_unread(page, campaign), _reader(page, campaign, [], viewer))
    earlier = [phase.number for phase in phases if phase.number < wanted[0].number]
    last = _last_battle(page, campaign, phases, branch, viewer)
    content = {
        "first": wanted[0].number, "last": wanted[-1].number, "newest": phases[-1].number,
        "stage": _stages(page, wanted[0], wanted[-1]), "earlier": earlier[-1] if earlier else None,
        "items": [_item(result) for result in without_repeated_places(found)],
        "battle": str(last) if last else "", "brief": last.brief if last else "",
    }  # fmt: skip
    return _json(content)


@news.get("/film.json", openapi_extra=OPEN)
def film_json(page: PageDep, campaign_id: str, number: Number = None, branch: Number = None) -> Response:
    """Return a finished phase step by step, the last one by default: ``number``, ``stage``, ``steps``, ``cards``.

    The fields of steps and cards are those of :mod:`server.web.presenters.film`.
    """
    campaign = started(page, campaign_id)
    phases = finished(page, campaign, branch)
    info, made, _ = _film(page, campaign, phases, number, branch)
    stage = page.t.stage(info.turn, info.phase)
    return _json({"number": info.number, "newest": phases[-1].number, "stage": stage} | made.as_json())


@news.get("/film.gif", openapi_extra=OPEN | HEAVY)
def film_gif(page: PageDep, campaign_id: str, number: Number = None, branch: Number = None) -> Response:
    """Return the same as a moving picture, for a chat; what is in it is what its reader may know."""
    from server.render.moving import write_story  # Pillow: only where wanted

    campaign = started(page, campaign_id)
    info, made, views = _film(page, campaign, finished(page, campaign, branch), number, branch)
    if not made.steps:
        raise PlayError("not_found", field="number", value=number)
    file = BytesIO()
    title = f"{campaign.name} · {page.t.stage(info.turn, info.phase)}"
    write_story(file, "GIF", title, scenes(made, *views))
    name = {"Content-Disposition": f'attachment; filename="turn-{info.turn}-{info.phase}.gif"'}
    return Response(file.getvalue(), media_type="image/gif", headers={"Cache-Control": "private, no-store"} | name)


@news.get("/score", openapi_extra=OPEN)
def score_part(page: PageDep, campaign_id: str) -> Response:
    """Return the score strip as a piece of a page."""
    campaign = started(page, campaign_id)
    return page.render("parts/score.html", campaign=campaign, score=score_of(page, campaign, seen(page, campaign)))


def seen(page: PageContext, campaign: CampaignInfo) -> View:
    """Return the position as the table shows it to its reader."""
    return positions.position(page.ctx, page.actor, campaign.id, as_=_viewer(page, campaign)).view


def score_of(page: PageContext, campaign: CampaignInfo, view: View) -> Score:
    """Return the score strip as its reader may know it."""
    known = page.finality(campaign.id)
    mine = known.get(page.seat or next(iter(campaign.your_seats), ""))
    final = {player: seat.final for player, seat in known.items()}
    return score(page.t, campaign, view, final, mine is not None and campaign.phase is not None and bool(mine.wanted))


# --- inside ---


def _viewer(page: PageContext, campaign: CampaignInfo) -> str | None:
    """Return the map's viewer: a seat of the reader, if they chose it or have several."""
    mine = campaign.your_seats
    if page.seat in mine:
        return page.seat
    return mine[0] if len(mine) > 1 else None


def _film(
    page: PageContext, campaign: CampaignInfo, phases: list[PhaseInfo], number: int | None, branch: int | None
) -> tuple[PhaseInfo, Film, tuple[View, View]]:
    """Return a phase, the last one by default, its film, and the reader's views before and after it."""
    info = next((phase for phase in phases if phase.number == number), phases[-1])
    before, past, reader, told = _told_of(page, campaign, [info], branch, _viewer(page, campaign))
    now = score_of(page, campaign, seen(page, campaign)).wanted
    made = film(before[0], past[0], told, reader, _odds(page, campaign, past[0]), now)
    return info, made, (before[0], past[0].view)


def _stages(page: PageContext, first: PhaseInfo, last: PhaseInfo) -> str:
    """Return in words which phases a list is about."""
    names = [page.t.stage(info.turn, info.phase) for info in (first, last)]
    return names[0] if first == last else page.t("results.stages", first=names[0], last=names[1])


def _results_of(
    page: PageContext, campaign: CampaignInfo, wanted: list[PhaseInfo], branch: int | None, viewer: str | None
) -> list[Result]:
    return _told_of(page, campaign, wanted, branch, viewer)[-1]


def _told_of(
    page: PageContext, campaign: CampaignInfo, wanted: list[PhaseInfo], branch: int | None, viewer: str | None
) -> tuple[list[View], list[PastPhase], Reader, list[Result]]:
    """Return the views before the phases, the phases, their reader, and the reader's reports."""
    numbers = [phase.number for phase in wanted]
    before = history.views(
        page.ctx, page.actor, campaign.id, {max(0, number - 1) for number in numbers}, branch=branch, as_=viewer
    )
    past = [history.past(page.ctx, page.actor, campaign.id, number, branch=branch, as_=viewer) for number in numbers]
    views = [*before[:1], *(phase.view for phase in past)]
    reader = _reader(page, campaign, views, past[-1].viewer)
    fought = [
        result
        for place, phase in enumerate(past)
        for result in dated(
            battle_results(views[place], phase, reader, _odds(page, campaign, phase)), past, place, reader
        )
    ]
    return views, past, reader, results(views[0], past, reader, fought)


def _odds(page: PageContext, campaign: CampaignInfo, past: PastPhase) -> Any:
    """Return what finds the odds of a battle ahead of a phase, once for each viewer."""

    def find(state: State, battle: Battle) -> Odds:
        key = (campaign.id, past.info.branch, past.info.number, past.viewer, "odds before", battle.hex)
        found: Odds = page.ctx.caches.views.get(key, lambda: odds(state, battle))
        return found

    return find


def _reader(page: PageContext, campaign: CampaignInfo, views: list[View], viewer: str | None) -> Reader:
    names = names_in(player_names(campaign), [view.state for view in views], page.t.language)
    if views:
        names |= ruleset_names(views[-1].state.ruleset, page.t.language)
    names |= {seat.player_id: seat.user or seat.name for seat in campaign.seats}
    if not views:
        return Reader(page.t, viewer or "", names)
    state = views[-1].state
    friends = tuple(state.friends(viewer)) if viewer in state.players else ()
    return Reader(page.t, viewer or "", names, state.board, friends)


def _unread(page: PageContext, campaign: CampaignInfo) -> list[MessageInfo]:
    try:
        found = messages.listed(page.ctx, page.actor, campaign.id, limit=20)
    except PlayError:
        return []
    return unread(found, campaign, campaign.your_seats[0])


def _last_battle(
    page: PageContext, campaign: CampaignInfo, phases: list[PhaseInfo], branch: int | None, viewer: str | None
) -> Result | None:
    """Return the last battle that the viewer knows of; none where there was none lately."""
    for info in reversed([phase for phase in phases if phase.phase in ("battles", "reports")][-MAX_BATTLES:]):
        fought = [result for result in _results_of(page, campaign, [info], branch, viewer) if result.kind == "battle"]
        if fought:
            return fought[0]
    return None


def _item(result: Result) -> dict[str, Any]:
    found = asdict(result)
    found["parts"] = [{key: text for key, text in asdict(part).items() if text} for part in result.parts]
    found["text"] = str(result)
    return found


def _json(content: Any) -> Response:
    headers = {"Cache-Control": "private, no-store", "Vary": "Cookie"}
    return Response(json.dumps(content, ensure_ascii=False), 200, headers, "application/json")
