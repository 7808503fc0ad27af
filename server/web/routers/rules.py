"""The rulebook of a shipped ruleset or of a campaign's own: search, glossary, pieces for pop-overs.

Its modules take long to import. So they are imported when someone opens it first, not when the server starts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Depends, Query, Request, Response

from server import rulesets
from server.http.responses import json_response
from server.play.campaigns import campaigns, catalog
from server.play.campaigns.campaign_info import CampaignInfo
from server.play.errors import not_found
from server.web.frame import frame
from server.web.page_context import PageContext, PageDep
from server.web.presenters.scenario_cards import ruleset_names
from server.web.route import OPEN, PageRouter

if TYPE_CHECKING:
    from server.rulebook.book import Book

router = PageRouter()

DEFAULT = "wh40k-2001"
"""The ruleset whose book is shown where none is named: the one the rules were written for."""
MAX_QUERY = 200
Query_ = Annotated[str, Query(alias="q", max_length=MAX_QUERY)]


@dataclass(frozen=True, slots=True)
class Shelf:
    """A rulebook, and where its pages are."""

    book: Book
    base: str
    """The address of its first page."""
    campaign: CampaignInfo | None = None


def _shipped(page: PageContext, ruleset: str) -> Shelf:
    if ruleset not in rulesets.names():
        raise not_found("ruleset", ruleset)
    from server.rulebook.book import book

    return Shelf(book(rulesets.load(ruleset), page.t.language), f"/rules/{ruleset}")


def _own(page: PageContext, campaign_id: str) -> Shelf:
    campaign = campaigns.get(page.ctx, page.actor, campaign_id)
    rules = catalog.ruleset(page.ctx, page.actor, campaign_id)
    from server.rulebook.book import book

    return Shelf(book(rules, page.t.language), f"/campaigns/{campaign_id}/rules", campaign)


def _shelf(page: PageDep, request: Request) -> Shelf:
    """Return the rulebook of an address: a campaign's own, or that of a ruleset that comes with the server."""
    named = request.path_params
    return _own(page, named["campaign_id"]) if "campaign_id" in named else _shipped(page, named.get("ruleset", DEFAULT))


ShelfDep = Annotated[Shelf, Depends(_shelf)]


@router.get("/guides/orders", openapi_extra=OPEN)
def guide_to_orders(page: PageDep) -> Response:
    """Show how orders are written as lines of text."""
    from server.rulebook.book import guide_to_orders

    return page.render("guide.html", guide=guide_to_orders(page.t.language))


@router.get("/rules", openapi_extra=OPEN)
@router.get("/rules/{ruleset}", openapi_extra=OPEN)
@router.get("/campaigns/{campaign_id}/rules", openapi_extra=OPEN)
def rulebook(page: PageDep, shelf: ShelfDep, q: Query_ = "") -> Response:
    """Show a rulebook."""
    from server.rulebook.pieces import search

    hits = search(shelf.book, q) if q.strip() else []
    if page.is_htmx:
        return page.render("parts/rules_found.html", shelf=shelf, wanted=q, hits=hits)
    return _render(page, "rules.html", shelf, wanted=q, hits=hits)


@router.get("/rules/{ruleset}/glossary", openapi_extra=OPEN)
@router.get("/campaigns/{campaign_id}/rules/glossary", openapi_extra=OPEN)
def glossary(page: PageDep, shelf: ShelfDep) -> Response:
    """Show all words of a ruleset."""
    from server.rulebook.terms import terms

    return _render(page, "glossary.html", shelf, terms=terms(shelf.book))


@router.get("/rules/{ruleset}/words", openapi_extra=OPEN)
@router.get("/campaigns/{campaign_id}/rules/words", openapi_extra=OPEN)
def words(page: PageDep, shelf: ShelfDep) -> Response:
    """Return what pages look for to explain it."""
    from server.rulebook.terms import terms

    found = [[term.key, term.title, list(term.words)] for term in terms(shelf.book) if term.words]
    numbers = [section.number for section in shelf.book.sections if section.number]
    content = {"terms": found, "sections": numbers, "decisions": sorted(shelf.book.passages)}
    return json_response(page.request, content, headers={"Cache-Control": "private, no-cache"})


@router.get("/rules/{ruleset}/piece", openapi_extra=OPEN)
@router.get("/campaigns/{campaign_id}/rules/piece", openapi_extra=OPEN)
def rule_piece(page: PageDep, shelf: ShelfDep, of: str) -> Response:
    """Return what a pop-over shows."""
    from server.rulebook.pieces import piece

    found = piece(shelf.book, of)
    if found is None:
        raise not_found("of", of)
    return page.render("parts/rule_piece.html", shelf=shelf, piece=found)


def _render(page: PageContext, template: str, shelf: Shelf, **content: Any) -> Response:
    """Return a page of a rulebook, in the frame of its campaign if it has one."""
    around: dict[str, Any] = frame(page, shelf.campaign) | {"tab": "rules"} if shelf.campaign else {}
    shipped = {} if shelf.campaign else ruleset_names()
    return page.render(template, shelf=shelf, rulesets=shipped, rules_base=shelf.base, **around, **content)
