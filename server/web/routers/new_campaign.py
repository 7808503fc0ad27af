"""Creating a campaign, on one page; from a position one reads: a practice, or the campaign played on."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from zoneinfo import available_timezones

from fastapi import Response

from server import rulesets
from server.bots.levels import LEVELS, REGULAR
from server.play import text_input
from server.play.campaigns import campaigns, catalog, practice
from server.play.campaigns.campaigns import MAX_DESCRIPTION_LENGTH, MAX_NAME_LENGTH, NewCampaign
from server.play.campaigns.catalog import Json
from server.play.campaigns.practice import NewPractice, Opponents
from server.play.errors import PlayError
from server.play.options import Options
from server.rules.ruleset import Ruleset
from server.rules.state import proposed
from server.scenarios import library, reader
from server.scenarios.problems import ERROR
from server.scenarios.scenario import DEFAULT_RULESET, Scenario
from server.web.forms import Form
from server.web.page_context import PageContext, PageDep
from server.web.presenters.campaign_form import CampaignForm
from server.web.presenters.scenario_cards import cards, drawn, drawn_with_faults
from server.web.route import HEAVY, PageRouter

router = PageRouter()

DEFAULT_HOURS = 72
ALONE = "alone"
ENDS = ("victory_points", "territory", "turn_limit", "truce")
"""Rules that are proposed by the number of players."""


@cache
def zones() -> tuple[str, ...]:
    """Return the time zones there are."""
    return tuple(sorted(zone for zone in available_timezones() if "/" in zone or zone == "UTC"))


@router.get("/campaigns/new")
def new_page(page: PageDep, scenario: str = "") -> Response:
    """Show the form."""
    chosen = scenario if scenario in [card.id for card in cards()] else "four-corners"
    choices = CampaignForm.of(Options(warn_hours=(24,)), proposed(len(library.load(chosen).starts)), page.t.zone)
    choices.options["deadlines"] |= {"kind": "rolling", "hours": DEFAULT_HOURS, "time_zone": page.t.zone.key}
    given = {"scenario": chosen, "listed": True, "name": "", "description": "", "ruleset": ""}
    return _form(page, choices, given | {"who": "people", "level": REGULAR, "faction": "", "give_up": False})


@router.post("/campaigns/new", openapi_extra=HEAVY)
def create(page: PageDep) -> Response:
    """Make the campaign, or show what is wrong beside the fields; own files are shown with a picture first."""
    form = page.form
    choices = CampaignForm.read(form, page.t.zone)
    choices.collect("name", lambda: text_input.line(form.text("name"), "name", MAX_NAME_LENGTH))
    choices.collect(
        "description", lambda: text_input.lines(form.text("description"), "description", MAX_DESCRIPTION_LENGTH)
    )
    own = OwnFiles.read(form, choices.problems)
    given = _given(form) | own.kept
    described = own.describe(form, choices.problems, page.ctx.settings.own_map_hexes) if own else None
    if choices.problems or "look" in form or own.just_uploaded:
        return _form(page, choices, given, 422 if choices.problems else 200, described)
    new = NewCampaign(
        form.text("name"), own.scenario_id(form), scenario_data=own.scenario, ruleset=form.optional("ruleset"),
        ruleset_data=own.ruleset, description=form.text("description"), listed=form.flag("listed"),
        options=choices.options, rules=choices.rules,
    )  # fmt: skip
    try:
        if given["who"] == ALONE:
            against = Opponents(form.text("level", REGULAR), form.flag("give_up"))
            alone = practice.begin(page.ctx, page.actor, new, form.text("faction"), against)
            return page.redirect(f"/campaigns/{alone.id}/table", said="alone")
        made = campaigns.create(page.ctx, page.actor, new)
    except PlayError as error:
        choices.problems[error.field or "name"] = error.message
        return _form(page, choices, given, page.status_of(error), described)
    return page.redirect(f"/campaigns/{made.id}", said="created")


@dataclass(slots=True)
class OwnFiles:
    """The reader's own scenario and ruleset: uploaded now, or on an earlier page and sent along since."""

    scenario: Json | None = None
    ruleset: Json | None = None
    kept: dict[str, object] = field(default_factory=dict)
    """Their texts, for the form to send along."""
    just_uploaded: bool = False

    @classmethod
    def read(cls, form: Form, problems: dict[str, str]) -> OwnFiles:
        """Read what was uploaded or sent along; what is wrong with it goes to *problems*.

        A map that was sent along gives way to one of the server that was chosen since.
        """
        made = cls()
        forgotten = {"scenario": bool(form.text("scenario")), "ruleset": form.flag("forget_ruleset")}
        for name, read in (("scenario", catalog.read_scenario), ("ruleset", catalog.read_ruleset)):
            uploaded = form.files.get(f"{name}_file", b"")
            content = uploaded or ("" if forgotten[name] else form.secret(f"own_{name}")).encode()
            if not content:
                continue
            try:
                setattr(made, name, read(content))
            except PlayError as error:
                problems[name] = error.message
                continue
            made.kept[f"own_{name}"] = content.decode("utf-8-sig")
            made.just_uploaded |= bool(uploaded)
        return made

    def __bool__(self) -> bool:
        return self.scenario is not None or self.ruleset is not None

    def scenario_id(self, form: Form) -> str:
        """Return the id of the scenario that is meant."""
        return catalog.SCENARIO_ID if self.scenario is not None else form.text("scenario")

    def describe(self, form: Form, problems: dict[str, str], hexes: int) -> dict[str, object] | None:
        """Return what the page shows of them; what cannot be played goes to *problems*."""
        try:
            chosen = (self.scenario_id(form), self.scenario, form.text("ruleset"), self.ruleset)
            found = catalog.check_scenario(*chosen, hexes=hexes)
        except PlayError as error:
            problems[error.field or "scenario"] = error.message
            if error.code == "too_large":
                return {"picture": "", "problems": []}
            told = [{"severity": ERROR, "hex": "", "where": "", **problem} for problem in error.problems]
            return {"picture": "", "problems": told} | self._sketched(form, told)
        if not found.good:
            problems["scenario"] = next(str(problem) for problem in found.problems if problem.severity == ERROR)
        wrong = None if found.good else [problem.hex for problem in found.problems if problem.severity == ERROR]
        told = [problem.as_dict() for problem in found.problems]
        return {"problems": told} | _pictured(found.scenario, found.ruleset, wrong)

    def _sketched(self, form: Form, told: list[dict[str, str]]) -> dict[str, object]:
        """Return the picture of a scenario that cannot be read as a whole, if there is anything to draw."""
        plan = reader.sketch(self.scenario, catalog.SCENARIO_ID) if self.scenario is not None else None
        if plan is None:
            return {}
        known = [name for name in (form.text("ruleset"), plan.ruleset, DEFAULT_RULESET) if name in rulesets.names()]
        return _pictured(plan, rulesets.load(known[0]), [problem["hex"] for problem in told])


def _pictured(plan: Scenario, rules: Ruleset, wrong: Iterable[str] | None) -> dict[str, object]:
    """Return the picture of a map and the words beneath it; of one with faults the hexes *wrong* are marked."""
    drawing = drawn(plan, rules) if wrong is None else drawn_with_faults(plan, rules, wrong)
    return {
        "title": plan.title, "picture": f"data:image/svg+xml;base64,{b64encode(drawing).decode()}",
        "faulty": wrong is not None, "ruleset": rules.name, "counts": plan.player_counts if plan.starts else (),
        "size": (plan.board.columns, plan.board.rows),
    }  # fmt: skip


def _given(form: Form) -> dict[str, object]:
    words = ("name", "description", "scenario", "ruleset", "faction")
    who = ALONE if form.text("who") == ALONE else "people"
    given: dict[str, object] = {word: form.text(word) for word in words}
    return given | {flag: form.flag(flag) for flag in ("listed", "give_up")} | {
        "who": who, "level": form.text("level", REGULAR),
    }  # fmt: skip


@cache
def _proposals() -> dict[str, dict[str, int]]:
    """Return the ends proposed for each number of players there is a map for: the page follows the chosen map."""
    counts = sorted({max(card.counts) for card in cards()})
    return {str(count): {name: getattr(proposed(count), name) for name in ENDS} for count in counts}


def _form(
    page: PageContext, choices: CampaignForm, given: dict[str, object], status: int = 200,
    described: dict[str, object] | None = None,
) -> Response:  # fmt: skip
    known = [(name, rulesets.load(name)) for name in rulesets.names()]
    return page.render(
        "new_campaign.html", status, scenarios=cards(), rulesets=known, choices=choices, given=given, zones=zones(),
        described=described, levels=tuple(LEVELS), proposals=_proposals(),
    )  # fmt: skip


continued = PageRouter("/campaigns/{campaign_id}")


@continued.post("/continuation", openapi_extra=HEAVY)
def play_on_from_here(page: PageDep, campaign_id: str) -> Response:
    """Create the continued campaign, and show its overview."""
    form = page.form
    made = practice.play_on(
        page.ctx, page.actor, campaign_id, number=form.integer("number", None), branch=form.integer("branch", None)
    )
    return page.redirect(f"/campaigns/{made.id}", said="played_on")


@continued.post("/practice", openapi_extra=HEAVY)
def practise(page: PageDep, campaign_id: str) -> Response:
    """Make the practice and show its map."""
    form = page.form
    new = NewPractice(
        number=form.integer("number", None),
        branch=form.integer("branch", None),
        as_=form.optional("as"),
        level=form.text("level", REGULAR),
        give_up=form.flag("give_up"),
    )
    made = practice.create(page.ctx, page.actor, campaign_id, new)
    return page.redirect(f"/campaigns/{made.id}", said="practice")
