"""Creating a campaign, on one page."""

from __future__ import annotations

from functools import cache
from zoneinfo import available_timezones

from fastapi import APIRouter, Response

from server import rulesets
from server.play import campaigns, text_input
from server.play.campaigns import MAX_DESCRIPTION_LENGTH, MAX_NAME_LENGTH, NewCampaign
from server.play.errors import PlayError
from server.play.options import Options
from server.rules.state import Settings
from server.web.campaign_form import CampaignForm
from server.web.forms import Form
from server.web.page_context import PageContext, PageDep
from server.web.route import PageRoute
from server.web.scenario_cards import cards

router = APIRouter(route_class=PageRoute)

DEFAULT_HOURS = 72


@cache
def zones() -> tuple[str, ...]:
    """Return the time zones there are."""
    return tuple(sorted(each for each in available_timezones() if "/" in each or each == "UTC"))


@router.get("/campaigns/new")
def new_page(page: PageDep, scenario: str = "") -> Response:
    """Show the form."""
    choices = CampaignForm.of(Options(warn_hours=(24,)), Settings(turn_limit=20))
    choices.options["deadlines"] |= {"kind": "rolling", "hours": DEFAULT_HOURS, "time_zone": page.t.zone.key}
    chosen = scenario if scenario in [each.id for each in cards()] else "four-corners"
    return _form(page, choices, {"scenario": chosen, "listed": True, "name": "", "description": "", "ruleset": ""})


@router.post("/campaigns/new")
def create(page: PageDep) -> Response:
    """Make the campaign, or show what is wrong beside the fields."""
    form = page.form
    choices = CampaignForm.read(form)
    choices.collect("name", lambda: text_input.line(form.text("name"), "name", MAX_NAME_LENGTH))
    choices.collect(
        "description", lambda: text_input.lines(form.text("description"), "description", MAX_DESCRIPTION_LENGTH)
    )
    given = _given(form)
    if choices.problems:
        return _form(page, choices, given, 422)
    new = NewCampaign(
        form.text("name"), form.text("scenario"), ruleset=form.optional("ruleset"),
        description=form.text("description"), listed=form.flag("listed"), options=choices.options, rules=choices.rules,
    )  # fmt: skip
    try:
        made = campaigns.create(page.ctx, page.actor, new)
    except PlayError as error:
        choices.problems[error.field or "name"] = error.message
        return _form(page, choices, given, page.status_of(error))
    return page.redirect(f"/campaigns/{made.id}", said="created")


def _given(form: Form) -> dict[str, object]:
    words = ("name", "description", "scenario", "ruleset")
    return {each: form.text(each) for each in words} | {"listed": form.flag("listed")}


def _form(page: PageContext, choices: CampaignForm, given: dict[str, object], status: int = 200) -> Response:
    known = [(each, rulesets.load(each)) for each in rulesets.names()]
    return page.render(
        "new_campaign.html", status, scenarios=cards(), rulesets=known, choices=choices, given=given, zones=zones(),
    )  # fmt: skip
