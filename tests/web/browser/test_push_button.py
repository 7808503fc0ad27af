"""The button that has notices pushed to this browser. Chromium's own push service is out of reach of a test."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from pydantic import SecretStr
from sqlalchemy import select

from server.play.notices import push
from server.store.tables import PushSubscription
from tests.web.browser.conftest import CheckAxe, OpenPage, Site

ENDPOINT = "http://127.0.0.1:9/somebody"
_SERVICE = """(() => {
  let made = null;
  PushManager.prototype.getSubscription = async () => made;
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    const keys = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
    const text = (bytes) => btoa(String.fromCharCode(...bytes))
      .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    const p256dh = text(new Uint8Array(await crypto.subtle.exportKey("raw", keys.publicKey)));
    globalThis.askedWith = text(applicationServerKey);
    made = {
      toJSON: () => ({ endpoint: "%s", keys: { p256dh, auth: text(new Uint8Array(16)) } }),
      unsubscribe: async () => { made = null; return true; },
    };
    return made;
  };
})()"""
"""Stands in for the service of the browser's maker: real keys, an endpoint of ours."""


@pytest.fixture
def endpoints(server: Site) -> list[str]:
    """Give the server a key; returns nothing so far."""
    object.__setattr__(server.ctx.settings, "push_key", SecretStr(push.new_key()))
    object.__setattr__(server.ctx.settings, "webhooks_to_private_addresses", True)
    return _known(server)


def _known(server: Site) -> list[str]:
    with server.ctx.database.read() as session:
        return list(session.scalars(select(PushSubscription.endpoint)))


def test_the_button_begins_and_ends(page: OpenPage, server: Site, endpoints: list[str], axe: CheckAxe) -> None:
    """Seen to fail when ``push.js`` does not tell the server of the end."""
    assert endpoints == []
    seen = page("Ann")
    seen.context.grant_permissions(["notifications"], origin=server.url)
    seen.add_init_script(_SERVICE % ENDPOINT)
    seen.goto("/settings")
    button = seen.locator("#push-notices button")
    expect(button).to_have_attribute("aria-pressed", "false")
    axe(seen)
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert _known(server) == [ENDPOINT]
    assert seen.evaluate("askedWith") == push.public_key(server.ctx.settings)
    assert seen.evaluate("navigator.serviceWorker.ready.then((found) => found.active.scriptURL)").endswith("/worker.js")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(button).to_be_enabled()
    assert _known(server) == []


def test_a_refusal_of_the_browser_says_where_to_allow_it(page: OpenPage, server: Site, endpoints: list[str]) -> None:
    assert endpoints == []
    seen = page("Ann")
    seen.add_init_script("Object.defineProperty(Notification, 'permission', { get: () => 'denied' })")
    seen.goto("/settings")
    expect(seen.locator("#push-notices button")).to_be_hidden()
    denied = seen.locator("#push-notices").get_attribute("data-denied")
    assert denied
    expect(seen.locator("#push-notices")).to_contain_text(denied)
    assert _known(server) == []
