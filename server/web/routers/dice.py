"""Dice: every visible roll, and the data to check it: the published links, seeds and salts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Query, Response

from server.core import dice_scheme_1
from server.core.dice import owner_of
from server.core.events import Event
from server.play.dice import salts
from server.play.dice.salts import DiceInfo
from server.play.views import history, positions
from server.render.story import Part, roll
from server.rules.ruleset import Ruleset
from server.web.frame import started
from server.web.page_context import PageDep
from server.web.presenters import phase_reports
from server.web.route import OPEN, PageRouter
from server.web.routers.reports import Branch, finished, past_page

router = PageRouter("/campaigns/{campaign_id}/reports/dice")

A_PAGE = 12
"""Phases on a page."""
_OTHER_DICE = ("casualty", "placement", "corruption", "start-urban", "start-resource")
"""Rolls whose dice have as many sides as there was to choose from, which only the whole record tells."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A roll on the page."""

    parts: tuple[Part, ...]
    faces: tuple[int, ...]


@router.get("", openapi_extra=OPEN)
def page(
    page: PageDep, campaign_id: str, until: Annotated[int | None, Query(ge=0, lt=2**31)] = None, branch: Branch = None
) -> Response:
    """Show the rolls of some phases, newest first, and the data to check them."""
    campaign = started(page, campaign_id)
    phases = finished(page, campaign, branch)
    last = phases[-1].number
    upto = last if until is None else min(until, last)
    since = max(0, upto - A_PAGE + 1)
    told = history.read_phases(
        page.ctx, page.actor, campaign_id, types=("dice",), since=since, until=upto, branch=branch
    )
    names = phase_reports.background(page, campaign, [info.number for info, _ in told.phases], branch, None).names
    rules = positions.position(page.ctx, page.actor, campaign_id).view.state.ruleset
    shown = [
        (
            info,
            [
                Shown(roll(str(event.fields["label"]), names, page.t.language), tuple(event.fields["faces"]))
                for event in events
            ],
        )
        for info, events in reversed(told.phases)
    ]
    dice = salts.dice(page.ctx, page.actor, campaign_id)
    data = {
        "campaign": campaign.id, "link0": campaign.link0, "scheme": dice.scheme, "keys": dice.seat_keys,
        "phases": [
            {"number": info.number, "branch": info.branch, "turn": info.turn, "phase": info.phase, "link": info.link,
             "seed": info.seed, "salts": info.salts, "rolls": _rolls(events, rules, dice)}
            for info, events in reversed(told.phases)
        ],
    }  # fmt: skip
    content = {
        "phases": shown, "data": data, "older": since - 1 if since else None,
        "newer": min(last, upto + A_PAGE) if upto < last else None, "branch": branch,
    }  # fmt: skip
    return past_page(page, "dice.html", campaign, "dice", **content)


def _rolls(events: tuple[Event, ...], rules: Ruleset, dice: DiceInfo) -> list[dict[str, Any]]:
    """Return the rolls as the script checks them; ``from`` counts the faces of the label rolled before in the phase.

    ``seat`` is whose key the roll needs: null for none, empty for one that the reader does not have.
    """
    before: Counter[str] = Counter()
    found = []
    for event in events:
        label, faces = str(event.fields["label"]), list(event.fields["faces"])
        hidden = dice.scheme != dice_scheme_1.SCHEME and not event.public
        owner = owner_of(label, event.to) if hidden else None
        seat = owner if owner is None or owner in dice.seat_keys else ""
        found.append(
            {"label": label, "faces": faces, "from": before[label], "sides": _sides(label, rules), "seat": seat}
        )
        before[label] += len(faces)
    return found


def _sides(label: str, rules: Ruleset) -> int | None:
    kind = label.partition("/")[0]
    if kind in _OTHER_DICE:
        return None
    return {"discovery-find": len(rules.discovery), "discovery-size": len(rules.start_resource)}.get(kind, 6)
