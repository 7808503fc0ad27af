"""Playing within a minute: a map, a length, one button; without an account where guests are allowed."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from fastapi import Response

from server import rulesets
from server.bots.levels import RECRUIT, REGULAR, VETERAN
from server.http.signing import check_guest, check_sign_in, set_cookie
from server.play.accounts import accounts, tokens
from server.play.accounts.accounts import SignedIn
from server.play.campaigns import campaigns, practice, seats
from server.play.campaigns.campaigns import NewCampaign
from server.play.campaigns.practice import Opponents
from server.play.context import Actor
from server.play.errors import PlayError
from server.play.people import account_closing, guests
from server.play.rhythm import GRID, NONE
from server.rules.state import proposed
from server.rulesets import NO_LIST
from server.scenarios import library
from server.web.page_context import PageContext, PageDep
from server.web.presenters.scenario_cards import Card, cards, factions_of
from server.web.route import OPEN, PageRouter

router = PageRouter()

RULESET = "frontier"
"""What beginners play: its armies are cards, not tables of units to be filled in."""
FIRST = ("the-pass", "green-heart", "four-corners")
"""The maps that are shown; all others are folded."""
LENGTHS: Mapping[str, int] = {"short": 8, "normal": 12, "long": 20}
"""Turns."""
OPPONENTS: Mapping[str, str] = {"easy": RECRUIT, "fair": REGULAR, "hard": VETERAN}
_EVENING = "20:00"
PACES: Mapping[str, Mapping[str, Any]] = {
    "tonight": {"kind": NONE},
    "daily": {"kind": GRID, "days": list(range(7)), "times": [_EVENING], "least_hours": 6},
    "club": {"kind": GRID, "days": [0, 3], "times": [_EVENING], "least_hours": 12},
}
PHASES_A_WEEK = {"daily": 7, "club": 2}
PHASES_A_TURN = 4


@router.get("/play", openapi_extra=OPEN)
def quick_start(page: PageDep) -> Response:
    """Show what there is to choose, with everything chosen already."""
    return _shown(page, friends=page.request.query_params.get("with") == "friends")


@router.post("/play", openapi_extra=OPEN)
def play(page: PageDep) -> Response:
    """Start alone, or create a campaign with a seat for its creator and a link for friends."""
    if not page.actor.signed_in and not page.guests_allowed:
        return page.redirect("/sign-up?next=/play")
    friends = page.form.text("with") == "friends"
    try:
        return as_guest(page, lambda actor: _begin(page, actor, friends=friends))
    except PlayError as error:
        return _shown(page, error, friends=friends)


def as_guest(page: PageContext, work: Callable[[Actor], str], said: str = "") -> Response:
    """Do something as the account that asks, or as a new guest, and redirect to the result. A refusal creates none."""
    if page.actor.signed_in:
        return page.redirect(work(page.actor), said=said)
    come = _guest(page)
    actor = tokens.authenticate(page.ctx, come.token.secret)
    try:
        response = page.redirect(work(actor), said=said)
    except PlayError:
        account_closing.end_guest(page.ctx, actor.user_id)
        raise
    set_cookie(page.server, response, come.token.secret, guest=True)
    return response


def _begin(page: PageContext, actor: Actor, *, friends: bool) -> str:
    """Make what the form asks for; returns where it is."""
    new, faction = _wanted(page, friends=friends), page.form.text("faction") or _any_faction()
    if friends:
        made = campaigns.create(page.ctx, actor, new)
        seats.join(page.ctx, actor, made.id, faction=faction)
        seats.invite_by_code(page.ctx, actor, made.id)
        return f"/campaigns/{made.id}/invite"
    level = OPPONENTS.get(page.form.text("opponents"), RECRUIT)
    made = practice.begin(page.ctx, actor, new, faction, Opponents(level))
    return f"/campaigns/{made.id}/table"


def _guest(page: PageContext) -> SignedIn:
    """Make a guest with the browser's language and time zone; refused where too many come from one address."""
    name = page.form.text("name")
    check_sign_in(page.server, page.request)
    check_guest(page.server, page.request)
    browser = page.request.headers.get("user-agent", "")
    come = guests.create(page.ctx, name or page.t("guest.name"), locale=page.t.language, browser=browser)
    actor = tokens.authenticate(page.ctx, come.token.secret)
    with suppress(PlayError):
        accounts.change_profile(page.ctx, actor, time_zone=page.form.text("time_zone"))
    return come


def _any_faction() -> str:
    return secrets.choice([id_ for id_ in rulesets.load(RULESET).factions if id_ != NO_LIST])


def _wanted(page: PageContext, *, friends: bool) -> NewCampaign:
    form, known = page.form, {card.id: card for card in cards()}
    chosen = known.get(form.text("scenario"), known[FIRST[-1 if friends else 0]])
    turns = LENGTHS.get(form.text("length"), LENGTHS["short"])
    rules = replace(proposed(len(library.load(chosen.id).starts)), turn_limit=turns)
    options: dict[str, Any] = {}
    if friends:
        zone = form.text("time_zone") or page.t.zone.key
        pace = dict(PACES.get(form.text("pace"), PACES["daily"]))
        if pace["kind"] == GRID:
            pace["time_zone"] = zone
        options = {
            "gm_plays": True, "computer_seats": True, "guests": page.guests_allowed, "deadlines": pace,
            "stand_in": "bot", "bot_level": OPPONENTS.get(form.text("opponents"), REGULAR),
        }  # fmt: skip
    title = form.text("campaign") or page.t.described(chosen.title)
    wanted = {"turn_limit": turns, "victory_points": rules.victory_points, "territory": rules.territory,
              "truce": rules.truce if friends else 0}  # fmt: skip
    return NewCampaign(title, chosen.id, ruleset=RULESET, listed=False, options=options, rules=wanted)


def _weeks(turns: int, pace: str) -> int:
    return max(1, round(turns * PHASES_A_TURN / PHASES_A_WEEK[pace]))


def _shown(page: PageContext, error: PlayError | None = None, *, friends: bool) -> Response:
    known: dict[str, Card] = {card.id: card for card in cards()}
    first = [known[id_] for id_ in (reversed(FIRST) if friends else FIRST)]  # what is chosen stands first
    return page.render(
        "quick_start.html",
        friends=friends,
        first=first,
        others=[card for card in known.values() if card not in first],
        chosen=page.form.text("scenario") or FIRST[-1 if friends else 0],
        length=page.form.text("length", "short"),
        lengths=LENGTHS,
        weeks={pace: {name: _weeks(turns, pace) for name, turns in LENGTHS.items()} for pace in PHASES_A_WEEK},
        pace=page.form.text("pace", "daily"),
        paces=tuple(PACES),
        opponents=page.form.text("opponents", "easy"),
        levels=tuple(OPPONENTS),
        factions=factions_of(page.t, rulesets.load(RULESET)),
        error=error,
    )
