"""House rules: the missions a club plays in a campaign in addition to the program's."""

from __future__ import annotations

from fastapi import Response

from server.http.responses import json_response
from server.play.campaigns import campaigns
from server.play.errors import PlayError, invalid, not_found
from server.play.tables import missions
from server.web.frame import campaign_page
from server.web.page_context import PageContext, PageDep
from server.web.route import HEAVY, OPEN, PageRouter

router = PageRouter("/campaigns/{campaign_id}/missions")


@router.get("", openapi_extra=OPEN)
def read(page: PageDep, campaign_id: str) -> Response:
    """Show a campaign's own missions, and the way to add one."""
    return _shown(page, campaign_id)


@router.post("", openapi_extra=HEAVY)
def add(page: PageDep, campaign_id: str) -> Response:
    """Check a mission's file and keep it; everything that is wrong with it is named."""
    file = page.form.files.get("file", b"")
    typed = page.form.text("source")
    try:
        source = file.decode("utf-8-sig") if file else typed
        missions.upload(page.ctx, page.actor, source, campaign_id)
    except UnicodeDecodeError:
        return _shown(page, campaign_id, typed, invalid("file", "The text is not UTF-8."))
    except PlayError as error:
        if error.code not in ("mission_refused", "too_large", "limit_reached"):
            raise
        return _shown(page, campaign_id, source, error)
    return page.redirect(f"/campaigns/{campaign_id}/missions", said="mission_kept")


@router.get("/{upload_id}.toml", openapi_extra=OPEN)
def file(page: PageDep, campaign_id: str, upload_id: str) -> Response:
    """Return a mission as it was uploaded."""
    row = missions.source(page.ctx, page.actor, upload_id)
    if row.campaign_id != campaign_id:
        raise not_found("mission", upload_id)
    headers = {"Content-Disposition": f'attachment; filename="{row.mission}.toml"'}
    return json_response(page.request, row.source.encode(), media_type="application/toml", headers=headers)


@router.post("/{upload_id}/remove")
def remove(page: PageDep, campaign_id: str, upload_id: str) -> Response:
    """Delete a mission; games that were made by it keep it."""
    missions.drop(page.ctx, page.actor, upload_id)
    return page.redirect(f"/campaigns/{campaign_id}/missions", said="mission_removed")


def _shown(page: PageContext, campaign_id: str, source: str = "", error: PlayError | None = None) -> Response:
    campaign = campaigns.get(page.ctx, page.actor, campaign_id)
    found = [
        mission for mission in missions.listed(page.ctx, page.actor, campaign_id) if mission.campaign == campaign_id
    ]
    return campaign_page(
        page, "campaign_missions.html", campaign, "missions", missions=found, source=source, error=error
    )
