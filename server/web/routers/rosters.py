"""Rosters made elsewhere, for the detachment editor: read here, kept nowhere."""

from __future__ import annotations

from dataclasses import asdict

import orjson
from fastapi import Response

from server.play.errors import PlayError
from server.play.rosters.reading import read_roster
from server.web.page_context import PageDep
from server.web.route import HEAVY, PageRouter

router = PageRouter()


@router.post("/rosters", openapi_extra=HEAVY)
def read(page: PageDep) -> Response:
    """Return as JSON what is understood of a file (``roster``) or a pasted table (``text``)."""
    try:
        roster = read_roster(page.form.files.get("roster") or page.form.secret("text").encode())
    except PlayError as error:
        refusal = page.refusal(error)
        body = {"code": refusal["code"], "message": page.t.translate(refusal["message"]) or refusal["title"]}
        return Response(orjson.dumps(body), page.status_of(error), media_type="application/json")
    return Response(orjson.dumps(asdict(roster)), media_type="application/json")
