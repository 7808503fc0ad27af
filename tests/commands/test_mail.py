"""``sealed-orders mail read``: any bytes, no server."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy.engine import URL
from typer.testing import CliRunner

from server.cli import main

MAILS = Path(__file__).parent.parent / "mail" / "mails"


def _read(file: Path) -> dict[str, str]:
    result = CliRunner().invoke(main, ["mail", "read", str(file)])
    assert result.exit_code == 0
    found: dict[str, str] = json.loads(result.stdout)
    assert list(found) == ["kind", "text", "quoted"]
    return found


def test_a_mail_is_printed_as_json() -> None:
    found = _read(MAILS / "german-gmail.eml")
    assert (found["kind"], found["text"]) == ("own", "Column 1: move 0404 0505\nfinal")
    assert found["quoted"].startswith("Am So., 3. Mai 2026")


@pytest.mark.parametrize("raw", [b"", b"\xff\xfe\x00", b"\n\n", b"Content-Type: text/plain; charset=utf-7\n\n+2AA-x"])
def test_any_bytes_are_answered(raw: bytes, tmp_path: Path) -> None:
    (tmp_path / "mail.eml").write_bytes(raw)
    assert _read(tmp_path / "mail.eml")["kind"] in ("own", "empty")


def test_a_mail_server_keeps_a_mail_while_the_database_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Postfix takes 75 for "come again" and bounces the mail for any other code but 0; seen to fail with code 3."""
    monkeypatch.setenv("SEALED_ORDERS_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/nothing")
    result = CliRunner().invoke(main, ["mail", "ingest"], input="Subject: orders\n\nFINAL\n")
    assert result.exit_code == 75
    assert "Traceback" not in result.output


def test_a_mail_from_a_pipe_is_acted_upon(url: URL) -> None:
    result = CliRunner().invoke(main, ["mail", "ingest", "--json"], input="Subject: orders\n\nFINAL\n")
    assert (result.exit_code, json.loads(result.stdout)) == (0, {"outcome": "no_tag"})


def test_parts_in_parts_are_answered(tmp_path: Path) -> None:
    nested = b"".join(b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (n, n) for n in range(2_000))
    (tmp_path / "mail.eml").write_bytes(nested)
    assert _read(tmp_path / "mail.eml") == {"kind": "empty", "text": "", "quoted": ""}
