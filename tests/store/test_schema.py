"""The page on the schema is the schema."""

from __future__ import annotations

import ast
import inspect
from types import ModuleType

import pytest
from sqlalchemy import text

from server.store.database import Database
from server.store.tables import VIEWS, Base
from tests.store import schema
from tests.store.rows import army, stored


def test_the_page_is_up_to_date() -> None:
    page = schema.DOCUMENT.read_text(encoding="utf-8")
    assert page == schema.document(), "run: python -m tests.store.schema"


def test_the_page_shows_every_table_and_view_once() -> None:
    page = schema.document()
    for table in Base.metadata.tables.values():
        assert page.count(f"    {table.name} {{\n") == 1, table.name
        assert f"- `{table.name}`: " in page
    for view in VIEWS:
        assert f"<code>{view}</code>" in page


@pytest.mark.parametrize("title", schema.QUESTIONS)
def test_what_a_gm_may_ask_is_answered(database: Database, title: str) -> None:
    campaign_id = stored(database, army(3, 2))
    with database.read() as session:
        rows = session.execute(text(schema.QUESTIONS[title].replace("…", campaign_id))).all()
    assert bool(rows) == (title in ("Who holds what", "What is where", "How they stand"))


@pytest.mark.parametrize("module", schema.SUBJECTS.values(), ids=schema.SUBJECTS)
def test_every_table_says_what_it_is(module: ModuleType) -> None:
    tree = ast.parse(inspect.getsource(module))
    rows = [each for each in tree.body if isinstance(each, ast.ClassDef)]
    assert rows
    assert all(ast.get_docstring(row) for row in rows)
