"""The rulebook on the server: pages for everybody, a campaign's own figures, search, glossary, pieces for pop-overs."""

from __future__ import annotations

import json

from fastapi.testclient import TestClient

from tests.web.visitor import Visitor


def test_everybody_may_read_it(client: TestClient) -> None:
    reader = Visitor(client)
    assert "5.1 Battle initiative" in reader.get("/rules")
    assert "Command post" in reader.get("/rules/frontier")
    assert "Muster ground" in reader.get("/rules/frontier/glossary")
    reader.get("/rules/no-such-ruleset", 404)


def test_search(client: TestClient) -> None:
    reader = Visitor(client)
    page = reader.get("/rules/frontier?q=command+post")
    assert "/rules/frontier/glossary#building.command_post" in page
    assert "Nothing found" in reader.get("/rules?q=xyzzy")
    assert "<script>" not in reader.get("/rules?q=%3Cscript%3E")
    reader.get(f"/rules?q={'x' * 300}", 404)


def test_pieces(client: TestClient) -> None:
    reader = Visitor(client)
    assert "1D6 + strategy" in reader.get("/rules/frontier/piece?of=5.1")
    assert "whether you met an enemy, but nothing about" in reader.get("/rules/frontier/piece?of=D-43")
    assert "detachments are created" in reader.get("/rules/frontier/piece?of=building.command_post")
    reader.get("/rules/frontier/piece?of=nothing", 404)
    reader.get("/rules/frontier/piece", 404)


def test_words(client: TestClient) -> None:
    words = json.loads(Visitor(client).get("/rules/frontier/words"))
    assert ["word.bp", "BP", ["BP"]] in words["terms"]
    assert "5.1" in words["sections"]
    assert "D-43" in words["decisions"]


def test_every_page_has_help(client: TestClient) -> None:
    for path in ("/", "/campaigns", "/sign-in", "/rules"):
        page = Visitor(client).get(path)
        assert 'id="help"' in page
        assert 'data-rules="/rules/' in page
