"""The least a server can do behind a FastAPI endpoint: one committed insert, one look-up and the same bytes.

It is what the real one is held against.
"""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from secrets import token_hex
from typing import Annotated, Any

import uvicorn
from fastapi import FastAPI, Header, Request, Response
from sqlalchemy import bindparam, insert, select

from server.store.database import Database
from server.store.tables import InboundMail

_ETAG = '"1"'
_LOOK_UP = select(InboundMail.outcome).where(InboundMail.message_id == bindparam("of"))


def create_app() -> FastAPI:
    """Return the app."""
    database = Database(os.environ["SEALED_ORDERS_DATABASE_URL"])

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        yield
        database.close()

    app = FastAPI(lifespan=lifespan)
    kept: dict[str, bytes] = {}

    @app.get("/readyz")
    def ready() -> dict[str, str]:
        return {"status": "ready"}

    @app.put("/keep/{name}")
    async def keep(name: str, request: Request) -> dict[str, int]:
        kept[name] = await request.body()
        return {"bytes": len(kept[name])}

    @app.get("/read/{name}")
    def read(name: str, given: Annotated[str | None, Header(alias="If-None-Match")] = None) -> Response:
        with database.read() as session:
            session.execute(_LOOK_UP, {"of": name}).first()
        if given == _ETAG:
            return Response(status_code=304, headers={"ETag": _ETAG})
        return Response(kept[name], 200, {"ETag": _ETAG}, "application/json")

    @app.put("/insert")
    def write(body: dict[str, Any]) -> dict[str, Any]:
        row = {"message_id": token_hex(8), "received_at": datetime.now(UTC), "outcome": str(len(body))}
        with database.write() as session:
            session.execute(insert(InboundMail).values(**row))
        return body

    return app


if __name__ == "__main__":
    uvicorn.run(create_app(), port=int(sys.argv[1]), log_level="warning", access_log=False)
