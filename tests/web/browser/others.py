"""Firefox and WebKitGTK: what Debian has of them, driven by the protocols they speak themselves.

Firefox serves WebDriver BiDi without a driver of its own. WebKitGTK has a driver (``WebKitWebDriver``) and needs a
screen, for which Xvfb is enough. Both take the same actions of the mouse, so a test is written once.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Protocol

import pytest
from selenium.webdriver import Remote
from selenium.webdriver.common.service import Service as DriverService
from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.remote_connection import RemoteConnection
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service
from websockets.sync.client import ClientConnection, connect

from tests.web.browser.war import WHERE

WAIT = 60.0
"""Seconds that anything may take; reached only where something is broken."""
SIZE = (1440, 900)

PREFERENCES = {
    "app.normandy.enabled": False, "datareporting.policy.dataSubmissionEnabled": False, "intl.accept_languages": "en",
    "services.settings.server": "data:,", "ui.prefersReducedMotion": 1,
}  # fmt: skip
"""Of Firefox: it asks nobody but the server under test, and nothing moves."""

_FIND = """(() => {
  const shown = [...document.querySelectorAll(%s)].filter((one) => one.checkVisibility() && !one.disabled);
  const found = shown.find((one) => one.textContent.includes(%s));
  if (!found) return null;
  found.scrollIntoView({ block: "center", behavior: "instant" });
  const box = found.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
})()"""


class Engine(Protocol):
    """What a browser is asked by its own protocol."""

    complaints: list[str]
    """Errors of the pages, where the protocol tells them."""

    def goto(self, url: str) -> None:
        """Open a page and wait until it is loaded."""

    def ask(self, expression: str) -> Any:
        """Return what an expression of JavaScript comes to, after waiting for its promise."""

    def act(self, sources: list[dict[str, Any]]) -> None:
        """Carry out actions, as W3C WebDriver writes them."""


class Firefox:
    """Firefox, over WebDriver BiDi."""

    def __init__(self, socket: ClientConnection) -> None:
        self.complaints: list[str] = []
        self._socket = socket
        self._count = 0
        self._send("session.new", capabilities={})
        self._send("session.subscribe", events=["log.entryAdded"])
        self._tab = self._send("browsingContext.getTree")["contexts"][0]["context"]
        self._send("browsingContext.setViewport", context=self._tab, viewport={"width": SIZE[0], "height": SIZE[1]})

    def goto(self, url: str) -> None:
        """Open a page and wait until it is loaded."""
        self._send("browsingContext.navigate", context=self._tab, url=url, wait="complete")

    def ask(self, expression: str) -> Any:
        """Return what an expression of JavaScript comes to, after waiting for its promise."""
        code = f"(async () => JSON.stringify((await ({expression})) ?? null))()"
        found = self._send("script.evaluate", expression=code, target={"context": self._tab}, awaitPromise=True)
        assert found["type"] == "success", found
        return json.loads(found["result"]["value"])

    def act(self, sources: list[dict[str, Any]]) -> None:
        """Carry out actions, as W3C WebDriver writes them."""
        self._send("input.performActions", context=self._tab, actions=sources)

    def _send(self, method: str, **params: Any) -> Any:
        self._count += 1
        self._socket.send(json.dumps({"id": self._count, "method": method, "params": params}))
        while True:
            answer = json.loads(self._socket.recv(timeout=WAIT))
            if answer.get("method") == "log.entryAdded" and answer["params"]["level"] == "error":
                self._complain(answer["params"]["text"])
            if answer.get("id") == self._count:
                assert answer["type"] == "success", f"{method}: {answer}"
                return answer["result"]

    def _complain(self, text: str) -> None:
        if not text.startswith("AbortError"):  # a request that is given up because the page is left is no failure
            self.complaints.append(text)


class WebKit:
    """WebKitGTK's small browser, over WebDriver."""

    def __init__(self, driver: Remote) -> None:
        self.complaints: list[str] = []
        self._driver = driver
        driver.set_script_timeout(WAIT)
        driver.set_window_size(*SIZE)

    def goto(self, url: str) -> None:
        """Open a page and wait until it is loaded."""
        self._driver.get(url)

    def ask(self, expression: str) -> Any:
        """Return what an expression of JavaScript comes to, after waiting for its promise."""
        code = f"(async () => JSON.stringify((await ({expression})) ?? null))().then(arguments[0])"
        return json.loads(self._driver.execute_async_script(code))

    def act(self, sources: list[dict[str, Any]]) -> None:
        """Carry out actions, as W3C WebDriver writes them."""
        self._driver.execute("actions", {"actions": sources})


class BrowserUser:
    """Somebody at a browser: they look, click with the mouse, and write."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def wait(self, expression: str) -> Any:
        """Wait until an expression of JavaScript comes to something true, and return it."""
        until = time.monotonic() + WAIT
        while not (found := self.engine.ask(expression)):
            if time.monotonic() > until:
                shown = self.engine.ask("document.body.innerText")
                pytest.fail(f"in vain: {expression}\n{self.engine.complaints}\n{shown}")
            time.sleep(0.1)
        return found

    def see(self, selector: str, text: str) -> None:
        """Wait until something that is shown has this text."""
        self.wait(_FIND % (json.dumps(selector), json.dumps(text)))

    def press(self, selector: str, text: str = "") -> None:
        """Click the middle of what is shown, by its selector and its text."""
        self._click(*self.wait(_FIND % (json.dumps(selector), json.dumps(text))))

    def hex(self, label: str) -> None:
        """Click a hex of the map."""
        main = """document.querySelector('script[src*="table/main.js"]').src"""
        self._click(*self.engine.ask(f"({WHERE})([{json.dumps(label)}, {main}])"))

    def write(self, selector: str, text: str) -> None:
        """Click into a field and write."""
        self.press(selector)
        keys = [{"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")]
        self.engine.act([{"type": "key", "id": "keys", "actions": keys}])

    def _click(self, x: float, y: float) -> None:
        move = {"type": "pointerMove", "x": round(x), "y": round(y), "origin": "viewport"}
        button = [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")]
        mouse = {"pointerType": "mouse"}
        self.engine.act([{"type": "pointer", "id": "mouse", "parameters": mouse, "actions": [move, *button]}])


@contextmanager
def firefox(folder: Path) -> Iterator[Firefox]:
    """Start Debian's Firefox with a profile in *folder*."""
    program = _program("firefox-esr", shutil.which("firefox-esr"))
    lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items())
    (folder / "user.js").write_text("".join(lines))
    command = [program, "--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port=0"]
    with open(folder / "said", "wb") as said, _running(command, stderr=said):
        address = _soon(lambda: _listening(folder / "said"))
        with connect(f"{address}/session", max_size=None) as socket:
            yield Firefox(socket)


@contextmanager
def webkit(folder: Path) -> Iterator[WebKit]:
    """Start WebKitGTK's small browser on a screen of its own."""
    driver_program = _program("webkit2gtk-driver", shutil.which("WebKitWebDriver"))
    found = sorted(Path("/usr/lib").glob("*/webkit2gtk-4*/MiniBrowser")) + sorted(
        Path("/usr/libexec").glob("webkit2gtk-4*/MiniBrowser")
    )
    browser = _program("webkit2gtk-driver", str(found[0]) if found else None)
    xvfb = _program("xvfb", shutil.which("Xvfb"))
    with ExitStack() as stack:
        with open(folder / "display", "wb") as number:
            handed = {"pass_fds": (number.fileno(),)}
            screen = [xvfb, "-displayfd", str(number.fileno()), "-screen", "0", "1600x1100x24", "-nolisten", "tcp"]
            stack.enter_context(_running(screen, stderr=subprocess.DEVNULL, **handed))
        display = _soon((folder / "display").read_text).strip()
        own = {"DISPLAY": f":{display}", "LIBGL_ALWAYS_SOFTWARE": "1", "HOME": str(folder), "LANG": "en_GB.UTF-8"}
        service: DriverService = Service(driver_program, env=os.environ | own)
        service.start()
        stack.callback(service.stop)
        options = Options()
        options.binary_location = browser
        options.add_argument("--automation")
        at = RemoteConnection(client_config=ClientConfig(remote_server_addr=service.service_url))
        driver = Remote(at, options=options)
        stack.callback(driver.quit)
        yield WebKit(driver)


def _program(package: str, path: str | None) -> str:
    """Return the path of a program. Leave the test out where it is missing, or fail where everything must be there."""
    if path is None:
        missing = f"{package} is not installed here (apt-get install {package})"
        if os.environ.get("CI", "") not in ("", "0", "false"):
            pytest.fail(missing)
        pytest.skip(missing)
    return path


@contextmanager
def _running(command: list[str], **more: Any) -> Iterator[None]:
    """Run a program, and end it."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, **more)
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _listening(said: Path) -> str:
    """Return the address that Firefox says it listens on, or nothing so far."""
    lines = said.read_text(errors="replace").splitlines()
    return next((line.split()[-1] for line in lines if "BiDi listening on" in line), "")


def _soon(find: Any) -> str:
    """Wait until something is found, and return it."""
    until = time.monotonic() + WAIT
    while not (found := find()):
        assert time.monotonic() < until, "a browser does not start"
        time.sleep(0.1)
    return str(found)
