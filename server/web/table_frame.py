"""What the pages of battles on the table share: who looks, how a page is filled in, what games are called."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from fastapi import Response

from server.http.responses import STILL, json_response
from server.http.signing import at_the_table, bearer, csrf_token, secrets_of
from server.play.context import NOBODY, Actor
from server.play.tables import missions
from server.play.tables.info import TableInfo
from server.web.page_context import PageContext


def visitor(page: PageContext) -> Actor:
    """Return who looks: an account, a guest, or nobody."""
    return at_the_table(page.server, page.request)


def render(page: PageContext, template: str, actor: Actor, **content: Any) -> Response:
    """Return a page, with what its scripts need to write as its visitor."""
    shown = secrets_of(page.request, public=True, guests=True)
    good = (secret for secret in shown if bearer(page.server, page.request, secret, public=True) is not NOBODY)
    secret = next(good, "") if actor.signed_in else ""
    csrf = csrf_token(secret) if secret else ""
    return page.render(template, actor=actor, csrf=csrf, **content)


def still(page: PageContext, document: str | bytes, kind: str) -> Response:
    """Return a picture or a sheet: styles of its own, and nothing else."""
    content = document.encode() if isinstance(document, str) else document
    return json_response(page.request, content, media_type=kind, headers=STILL)


def mission_names(page: PageContext, actor: Actor) -> dict[str, str]:
    """Return what the missions that someone may play are called, by id."""
    known = missions.listed(page.ctx, actor)
    return {mission.id: mission.name.get(page.t.language) or mission.name["en"] for mission in known}


def title(page: PageContext, actor: Actor, found: TableInfo) -> str:
    """Return what a game is called: its own name, or its mission's."""
    names = mission_names(page, actor) | own_name(page, found)
    return found.name or names.get(found.mission) or page.t("tabletop.game")


def own_name(page: PageContext, found: TableInfo) -> dict[str, str]:
    """Return what a game's mission is called, by id, if it is a club's own."""
    values = found.setup.get("own_mission")
    if values is None:
        return {}
    name = values["name"]
    return {found.mission: name if isinstance(name, str) else name.get(page.t.language) or name["en"]}


def qr_code(address: str) -> bytes:
    """Return an address as a picture that a camera reads (SVG)."""
    import segno

    out = BytesIO()
    segno.make(address, error="m").save(out, kind="svg", border=3, scale=8)
    return out.getvalue()
