from __future__ import annotations

import pytest

from tests.commands.conftest import run


@pytest.mark.parametrize("url", ["mysql://host/name", "sqlite://", "nonsense"])
@pytest.mark.parametrize("option", ["--upgrade", "--no-upgrade"])
def test_a_database_that_cannot_be_used_is_named(url: str, option: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEALED_ORDERS_DATABASE_URL", url)
    assert run("serve", option, code=2).output.count("\n") == 1


def test_several_processes_need_postgresql(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEALED_ORDERS_DATABASE_URL", "sqlite:///campaigns.db")
    assert "PostgreSQL" in run("serve", "--workers", "2", code=2).output
