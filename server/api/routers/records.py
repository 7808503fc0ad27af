"""A campaign as one file: given out when it is over, verified offline, brought to another server."""

from __future__ import annotations

from anyio import to_thread
from fastapi import APIRouter, Request, Response

from server.api.openapi import error_responses
from server.api.routes import Route
from server.http.context import ActorDep, ServerDep
from server.http.middleware import PREFIX
from server.http.problems import too_often
from server.http.responses import json_response, made
from server.play.archive import record_files, record_import
from server.play.campaigns.campaign_info import CampaignInfo

router = APIRouter(route_class=Route, tags=["history"])

MEDIA_TYPE = "application/octet-stream"
FILE = {"content": {MEDIA_TYPE: {"schema": {"type": "string", "format": "binary"}}}}


@router.get("/campaigns/{campaign_id}/record", response_class=Response, responses={200: FILE},
            openapi_extra=error_responses("wrong_status", public=True))  # fmt: skip
def export_campaign(request: Request, parts: ServerDep, actor: ActorDep, campaign_id: str) -> Response:
    """Return the whole record of a finished campaign as a file; `sealed-orders verify` checks it offline."""
    name = {"Content-Disposition": f'attachment; filename="{campaign_id}.campaign"'}
    data = record_files.export(parts.ctx, actor, campaign_id)
    return json_response(request, data, media_type=MEDIA_TYPE, headers=name)


@router.post("/imports", status_code=201, response_model=CampaignInfo,
             openapi_extra=error_responses("bad_record", "already_here", raw=True)
             | {"requestBody": {"required": True, **FILE}})  # fmt: skip
async def import_campaign(request: Request, parts: ServerDep, actor: ActorDep) -> Response:
    """Bring a campaign from another server: every phase is played again and must have the same hashes.

    An account brings one at a time: that may take a minute of the server's work.
    """
    actor.require("gm")
    if not parts.imports.take(actor.user_id):
        raise too_often(10)
    try:
        data = await _body(request, None if actor.admin else parts.ctx.settings.import_unpacked)
        campaign = await to_thread.run_sync(record_import.import_, parts.ctx, actor, data)
    finally:
        parts.imports.give_back(actor.user_id)
    return made(campaign, f"{PREFIX}/campaigns/{campaign.id}")


async def _body(request: Request, most: int | None) -> bytes:
    """Return the body, of which never more than *most* bytes are in memory."""
    content = bytearray()
    async for part in request.stream():
        content += part
        if most is not None and len(content) > most:
            raise record_files.too_large()
    return bytes(content)
