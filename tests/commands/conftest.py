from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.engine import URL
from typer.testing import CliRunner, Result

from server.cli import main
from server.play.archive.record_files import export
from server.play.campaigns import campaigns
from server.play.context import AppContext
from server.settings import Settings
from server.store.database import Database
from tests.play.campaigns import club
from tests.store import databases


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch) -> Iterator[URL]:
    """A fresh SQLite database, which is the one the commands work on."""
    with databases.migrated("sqlite", "commands") as found:
        monkeypatch.setenv("SEALED_ORDERS_DATABASE_URL", found.render_as_string(hide_password=False))
        yield found


@pytest.fixture(scope="session")
def record_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a campaign of two turns that was then ended by hand."""
    with databases.migrated("sqlite", "record") as url:
        ctx = AppContext(Database(url), Settings(_env_file=None))
        made = club(ctx)
        while (made.info.turn or 0) < 3:
            made.play_phase()
        campaigns.finish(ctx, made.gm, made.id)
        data = export(ctx, made.gm, made.id)
        ctx.database.close()
    file = tmp_path_factory.mktemp("records") / "long-march.sealed"
    file.write_bytes(data)
    return file


def run(*words: str | Path | float, code: int = 0, said: str = "") -> Result:
    """Run a command that ends with *code*, without a traceback whatever it is."""
    result = CliRunner().invoke(main, [str(word) for word in words], input=said)
    assert result.exit_code == code, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def json_of(*words: str | Path | float, code: int = 0) -> Any:
    """Run a command and read the one JSON object it prints."""
    return json.loads(run(*words, "--json", code=code).stdout)
