"""The least a server can do: one committed insert behind a FastAPI endpoint; what the real one is held against."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from secrets import token_hex
from typing import Any

import uvicorn
from fastapi import FastAPI
from sqlalchemy import insert

from server.store.database import Database
from server.store.tables import InboundMail


def create_app() -> FastAPI:
    """Return the app."""
    database = Database(os.environ["SEALED_ORDERS_DATABASE_URL"])

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        yield
        database.close()

    app = FastAPI(lifespan=lifespan)

    @app.get("/readyz")
    def ready() -> dict[str, str]:
        return {"status": "ready"}

    @app.put("/insert")
    def write(body: dict[str, Any]) -> dict[str, Any]:
        row = {"message_id": token_hex(8), "received_at": datetime.now(UTC), "outcome": str(len(body))}
        with database.write() as session:
            session.execute(insert(InboundMail).values(**row))
        return body

    return app


if __name__ == "__main__":
    uvicorn.run(create_app(), port=int(sys.argv[1]), log_level="warning", access_log=False)
