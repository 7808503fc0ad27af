"""A player's browser keeps the salts of their seat, and another device does by the code.

Seen to fail: with ``stir`` that sends no salt of the open phase.
"""

from __future__ import annotations

import hashlib
import hmac

from playwright.sync_api import expect

from tests.web.browser.conftest import OpenPage, Site
from tests.web.browser.war import begin


def test_salts_are_kept_here_and_on_another_device(page: OpenPage, server: Site) -> None:
    war = begin(server.ctx).until(1, "build")
    address = f"/campaigns/{war.id}/reports/dice"
    first = page("Ann")
    first.goto(address)
    expect(first.locator("#salts-state")).to_have_text("The server keeps them.")
    first.get_by_role("button", name="Keep them in this browser").click()
    expect(first.locator("#salts-state")).to_contain_text("This browser keeps them.")
    code = first.locator("#salts-code").inner_text()
    war.final(war.ann, war.ben)
    second = page("Ann")
    second.goto(address)
    second.get_by_label("Code of another device").fill("no code")
    second.get_by_role("button", name="Use it here").click()
    expect(second.locator("#salts-said")).to_contain_text("That is not a valid code")
    second.get_by_label("Code of another device").fill(code)
    second.get_by_role("button", name="Use it here").click()
    expect(second.locator("#salts-code")).to_have_text(code)
    known = second.request.get(f"{server.url}/api/v1/campaigns/{war.id}/salts").json()
    serial = known["now"]["serial"]
    assert known["now"]["given"]
    war.until(2, "build")  # links and salts are published when the turn is over
    second.goto(address)
    key = bytes.fromhex(code.replace("-", ""))
    salt = hmac.digest(key, f"{war.id}|p1|{serial}".encode(), hashlib.sha256).hex()
    expect(second.locator("code", has_text=salt)).to_be_visible()
