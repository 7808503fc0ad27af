"""The roster of the bots' guide: read, previewed, saved."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.client.club import Club

PAGE = (Path(__file__).parents[2] / "docs" / "bots.md").read_text()
ROSTER = "HQ\n1x Chief (80 pts)\nTROOPS\n10x Squad (100 pts)\n10x Second squad (100 pts)\nRangers (97,5 pts)\n"


def test_the_roster_of_the_page(
    club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = re.search(r"<!-- a roster;.*?-->\n```python\n(.*?)```", PAGE, re.DOTALL)
    assert code is not None
    monkeypatch.chdir(tmp_path)
    Path("army.rosz").write_text(ROSTER)
    client = club.players[0]
    campaign = club.of(client)
    capital = next(order for order in campaign.legal_orders() if order.order.get("what") == "capital")
    campaign.send([capital.pick()])
    known: dict[str, object] = {"client": client, "campaign": campaign, "hex": capital.choices["at"][1]}
    exec(code[1], known)
    assert capsys.readouterr().out == "Line not recognised Rangers (97,5 pts)\n"
    assert [template.name for template in client.templates()] == ["Column"]
    client.drop_template(client.templates()[0].id)
    assert client.templates() == ()
