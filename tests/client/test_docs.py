"""docs/bots.md and the library say the same, the library has what the API has, and the bot in the page plays."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest

import sealed_orders
from sealed_orders import (
    AsyncCampaign,
    AsyncChronicle,
    AsyncClient,
    AsyncTable,
    AsyncTables,
    Campaign,
    Chronicle,
    Client,
    Table,
    Tables,
    errors,
)
from sealed_orders._operation import iteration, operation
from sealed_orders._plans import Send
from server.app import create_app
from server.play.notices.notices import KINDS
from server.settings import Settings
from tests.client.club import found
from tests.e2e.processes import ServerProcess

PAGE = (Path(__file__).parents[2] / "docs" / "bots.md").read_text()

FOR_PAGES = {
    "DELETE /sessions", "GET /sessions/current", "POST /links", "POST /links/look", "POST /links/follow",
    "PATCH /me", "PUT /me/password", "PUT /me/email", "GET /me/bots/{bot_id}/tokens", "GET /me/webhooks",
    "POST /me/webhooks", "GET /campaigns/{campaign_id}/webhooks", "POST /campaigns/{campaign_id}/webhooks",
    "PATCH /webhooks/{webhook_id}", "DELETE /webhooks/{webhook_id}", "POST /webhooks/{webhook_id}/test",
    "POST /webhooks/{webhook_id}/key", "GET /webhooks/{webhook_id}/deliveries",
    "POST /webhooks/{webhook_id}/deliveries/{delivery_id}/retry", "POST /me/calendar",
    "GET /me/blocks", "POST /me/blocks", "DELETE /me/blocks/{block_id}", "GET /me/reports",
    "PUT /campaigns/{campaign_id}/people/{player_id}/block", "POST /campaigns/{campaign_id}/people/{player_id}/reports",
    "GET /me/push", "POST /me/push", "DELETE /me/push/{subscription_id}",
    "GET /me/notifications",
    "PATCH /me/notifications",
    "GET /me/second-factor", "POST /me/second-factor", "PUT /me/second-factor", "DELETE /me/second-factor",
    "POST /me/second-factor/recovery-codes",
    "GET /admin/status", "GET /admin/campaigns", "GET /admin/accounts", "PUT /admin/accounts/{user_id}/name",
    "PUT /admin/accounts/{user_id}/email", "PUT /admin/accounts/{user_id}/email/confirmation",
    "PUT /admin/accounts/{user_id}/admin", "PUT /admin/accounts/{user_id}/closed",
    "DELETE /admin/accounts/{user_id}/second-factor", "GET /admin/deliveries",
    "POST /admin/deliveries/{delivery_id}/retry", "GET /admin/reports", "PUT /admin/reports/{report_id}/settlement",
    "POST /imports", "GET /errors", "GET /errors/{code}",
    "DELETE /campaigns/{campaign_id}/invitation-code",
    "POST /campaigns/{campaign_id}/orders/draft", "POST /campaigns/{campaign_id}/orders/suggestions",
    "GET /sessions/current/proof", "POST /sessions/current/proof", "POST /accounts/guests", "PUT /me/guest",
    "GET /admin/acts", "PUT /admin/accounts/{user_id}/approval", "PUT /admin/accounts/{user_id}/ban",
    "DELETE /admin/accounts/{user_id}/ban",
}  # fmt: skip
"""Operations that people need, on pages, and no bot: the library leaves them out."""


def the_bot() -> str:
    """Return the bot of the page, as it stands there."""
    found = re.search(r"<!-- bot.py;.*?-->\n```python\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


def operations(kind: type) -> dict[str, Any]:
    """Return the methods of a client that ask the server something."""
    return {
        name: each
        for base in kind.__mro__
        for name, each in vars(base).items()
        if isinstance(each, operation | iteration) and not name.startswith("_")
    }


def test_the_bot_has_about_30_lines() -> None:
    lines = [line for line in the_bot().splitlines() if line.strip()]
    assert 25 <= len(lines) <= 35


def test_the_bot_of_the_page_plays_a_campaign_to_its_end(server: ServerProcess, tmp_path: Path) -> None:
    """Two processes of exactly that source; the server refuses nothing of what it has kept, and things happen."""
    file = tmp_path / "bot.py"
    file.write_text(the_bot())
    # the page's bot chooses by chance: here always the same, over turns enough for the campaign's own dice
    same = "import random, runpy, sys; random.seed(int(sys.argv[2])); runpy.run_path(sys.argv[1], run_name='__main__')"
    with found(server.base_url, rules={"turn_limit": 6}) as club:
        bots = []
        for seed, each in enumerate(club.players):
            known = {"SEALED_ORDERS_SERVER": club.url, "SEALED_ORDERS_TOKEN": str(each.token)}
            command: list[str | Path] = [sys.executable, "-W", "error", "-c", same, file, str(seed)]
            bots.append(subprocess.Popen(command, env={**os.environ, **known}))
        try:
            campaign = club.of(club.gm)
            info = campaign.info()
            while not info.over:
                assert [each.poll() for each in bots] == [None, None]
                info = campaign.wait(info, timeout=60)
        finally:
            for bot in bots:
                bot.terminate()
                bot.wait()
        given: dict[str, int] = {}
        for phase in campaign.phases()[1:]:
            past = campaign.phase(phase.number, as_="gm")
            assert not any(past.problems.values())
            given[phase.phase] = given.get(phase.phase, 0) + sum(len(orders) for orders in past.orders.values())
        assert given["setup"] >= 4
        assert given["movement"] >= 2


@pytest.mark.parametrize("kind", [Client, Campaign, Chronicle, Tables, Table])
def test_every_method_is_on_the_page_and_has_a_docstring(kind: type) -> None:
    for name, each in operations(kind).items():
        assert f"`{name}(" in PAGE, name
        assert inspect.getdoc(each), name


def test_both_clients_have_the_same_methods() -> None:
    assert operations(Client).keys() == operations(AsyncClient).keys()
    assert operations(Campaign).keys() == operations(AsyncCampaign).keys()
    assert operations(Tables).keys() == operations(AsyncTables).keys()
    assert operations(Table).keys() == operations(AsyncTable).keys()
    assert operations(Chronicle).keys() == operations(AsyncChronicle).keys()
    both = ("campaign", "turns", "close", "token", "tables", "table", "chronicle")
    assert all(hasattr(kind, name) for kind in (Client, AsyncClient) for name in both)


def test_every_event_and_every_error_is_on_the_page() -> None:
    assert [kind for kind in KINDS if f"`{kind}`" not in PAGE] == []
    kinds = [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, Exception)]
    assert [each.__name__ for each in kinds if f"`{each.__name__}`" not in PAGE] == []
    assert all(getattr(sealed_orders, each.__name__) is each for each in kinds)


WITH_ARGUMENTS = {"POST /me/bots/{bot_id}/tokens", "GET /campaigns/{campaign_id}/view/changes"}
"""What methods ask for only where they are given more; those have tests of their own."""


def test_the_library_has_what_the_api_has() -> None:
    """Each operation of the API that is not for pages only is asked for by some method, and none that is not there."""
    http = httpx2.Client()
    client = Client("http://127.0.0.1:1", http=http)
    asked = {
        _asked(thing, name)
        for thing in (client, client.campaign("x"), client.tables, client.table("x"), client.chronicle)
        for name in operations(type(thing))
        if name != "request"  # asks for whatever it is given
    }
    client.close()
    api = {
        f"{method.upper()} {path.removeprefix('/api/v1')}"
        for path, methods in create_app(Settings()).openapi()["paths"].items()
        for method in methods
    }
    patterns = {each: re.compile(re.sub(r"\{[^/]+\}", "[^/]+", each)) for each in api}
    known = {each for each in api if any(patterns[each].fullmatch(one) for one in asked)}
    assert [each for each in asked if not any(pattern.fullmatch(each) for pattern in patterns.values())] == []
    assert api - known - FOR_PAGES - WITH_ARGUMENTS - _of_phases(api) == set()


def _asked(thing: Any, name: str) -> str:
    plan = operations(type(thing))[name].plan
    given = [
        _made_up(parameter)
        for parameter in list(inspect.signature(plan).parameters.values())[1:]
        if parameter.default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD
    ]
    effect = next(plan(thing, *given))
    send = effect if isinstance(effect, Send) else effect.send
    return f"{send.method} {send.path}"


def _made_up(parameter: inspect.Parameter) -> Any:
    kind = str(parameter.annotation)
    if kind.startswith("int"):
        return 1
    if kind.startswith(("Sequence", "Mapping", "Order")):
        return {} if kind.startswith(("Mapping", "Order")) else []
    return None if "datetime" in kind else "x"


def _of_phases(api: set[str]) -> set[str]:
    """The picture of a finished phase: `picture(number=...)`."""
    return {each for each in api if each.endswith("/phases/{number}/map.svg")}
