"""docs/webhooks.md: its table has every kind there is, and its lines of Python check what is posted."""

from __future__ import annotations

import re
from pathlib import Path

from server.api.description.webhooks import TOLD
from server.play.context import AppContext
from server.play.messages import messages
from server.play.notices import webhooks
from tests.play.campaigns import club
from tests.play.test_delivery import drain, receiving, trusting

PAGE = (Path(__file__).parents[2] / "docs" / "webhooks.md").read_text()


def test_every_kind_is_in_the_table() -> None:
    rows = re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE)
    kinds = [kind for row in rows for kind in re.findall(r"`([a-z_]+)`", row)]
    assert sorted(kinds) == sorted(TOLD)


def test_the_lines_of_the_page_check_a_signature(ctx: AppContext) -> None:
    """Seen to fail with another key, body, id or time."""
    ctx = trusting(ctx)
    made = club(ctx)
    found = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    names: dict[str, object] = {}
    exec(found[1], names)
    is_genuine = names["is_genuine"]
    assert callable(is_genuine)
    with receiving() as receiver:
        hook = webhooks.create(ctx, made.gm, receiver.url, campaign_id=made.id)
        messages.announce(ctx, made.gm, made.id, "One.")
        drain(ctx)
    headers, body = receiver.got[0]
    assert is_genuine(hook.secret, headers, body)
    assert not is_genuine(hook.secret, headers, body + b" ")
    assert not is_genuine(hook.secret, headers | {"webhook-id": "msg_0"}, body)
    assert not is_genuine(hook.secret, headers | {"webhook-timestamp": "0"}, body)
    assert not is_genuine("whsec_AAAA", headers, body)
