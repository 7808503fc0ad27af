"""The least server with FastAPI and SQLAlchemy: what the real one's start and memory are held against."""

from __future__ import annotations

import sys

import uvicorn
from fastapi import FastAPI
from sqlalchemy import create_engine, text


def main(url: str, port: int) -> None:
    """Serve until told to stop."""
    engine = create_engine(url)
    app = FastAPI()

    @app.get("/readyz")
    def ready() -> dict[str, str]:
        with engine.connect() as connection:
            connection.execute(text("SELECT 1"))
        return {"status": "ready"}

    uvicorn.run(app, port=port, log_level="warning", access_log=False)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
