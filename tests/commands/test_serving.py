from __future__ import annotations

import os
from pathlib import Path

import pytest

from server import serving
from server.settings import Settings
from server.store import migrate
from tests.commands.conftest import run


@pytest.mark.parametrize("url", ["mysql://host/name", "sqlite://", "nonsense"])
@pytest.mark.parametrize("option", ["--upgrade", "--no-upgrade"])
def test_a_database_that_cannot_be_used_is_named(url: str, option: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEALED_ORDERS_DATABASE_URL", url)
    assert run("serve", option, code=2).output.count("\n") == 1


def test_a_database_that_is_not_upgraded_is_not_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"sqlite:///{tmp_path}/old.db"
    migrate.upgrade(url, migrate.revisions()[1])
    monkeypatch.setenv("SEALED_ORDERS_DATABASE_URL", url)
    monkeypatch.setenv("SEALED_ORDERS_PUBLIC_URL", "http://127.0.0.1:28441")
    monkeypatch.setattr(serving, "serve", lambda *_: pytest.fail("it is served"))
    told = run("serve", "--no-upgrade", "--port", "28441", code=3).output
    assert "sealed-orders db upgrade" in told
    assert migrate.current(url) == migrate.revisions()[1]


def test_several_processes_need_postgresql(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEALED_ORDERS_DATABASE_URL", "sqlite:///campaigns.db")
    assert "PostgreSQL" in run("serve", "--workers", "2", code=2).output


@pytest.mark.usefixtures("url")
@pytest.mark.parametrize(
    ("words", "public"),
    [
        ((), "http://127.0.0.1:8000"),
        (("--port", "28431"), "http://127.0.0.1:28431"),
        (("--host", "0.0.0.0", "--port", "28432"), "http://127.0.0.1:28432"),
        (("--host", "::1", "--port", "28433"), "http://[::1]:28433"),
    ],
)
def test_links_lead_where_it_listens(words: tuple[str, ...], public: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen to fail: after ``serve --port`` mails and invitations led to port 8000, where nobody was."""
    served = started(monkeypatch, *words)
    assert served.public_url == public
    assert os.environ["SEALED_ORDERS_PUBLIC_URL"] == public  # what worker processes read


@pytest.mark.usefixtures("url")
def test_an_address_that_is_set_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEALED_ORDERS_PUBLIC_URL", "https://play.example.org")
    assert started(monkeypatch, "--port", "28434").public_url == "https://play.example.org"


@pytest.mark.usefixtures("url")
def test_deadlines_are_held_on_demand(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [started(monkeypatch, *words, "--port", "28435").hold for words in ((), ("--hold",))] == [False, True]
    assert os.environ["SEALED_ORDERS_HOLD"] == "true"


def started(monkeypatch: pytest.MonkeyPatch, *words: str) -> Settings:
    """Return with which settings `serve` starts; it says which address to open."""
    for name in ("PUBLIC_URL", "HOLD"):  # so that what the command sets is gone after the test
        monkeypatch.setenv(f"SEALED_ORDERS_{name}", os.environ.get(f"SEALED_ORDERS_{name}", ""))
        if not os.environ[f"SEALED_ORDERS_{name}"]:
            monkeypatch.delenv(f"SEALED_ORDERS_{name}")
    found: list[Settings] = []
    monkeypatch.setattr("server.commands.serving._must_be_free", lambda *_address: None)
    monkeypatch.setattr(serving, "serve", lambda settings, _address: found.append(settings))
    said = run("serve", *words).stdout
    assert f"Open {found[0].public_url} in a browser." in said
    return found[0]
