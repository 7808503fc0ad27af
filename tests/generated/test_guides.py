"""The commands of the guide for bots, as they stand, in an empty folder of an empty home.

Once on a server; `make generated`: twice.

Packages come from the registries, so these tests need the net. ``tests/client/test_guide.py`` and ``test_guide.py`` run
the same programs without it, twice.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sealed_orders import Client
from tests.client.test_guide import of_page, the_campaign
from tests.e2e.processes import ServerProcess, serving
from tests.generated.test_generated import ASKED
from tests.store import databases

ROOT = Path(__file__).parents[2]
LONG = os.environ.get("SEALED_ORDERS_LONG") == "1"
pytestmark = pytest.mark.skipif(not ASKED, reason="the guides install packages: SEALED_ORDERS_TEST_GENERATED=1")


@contextmanager
def running(server: ServerProcess, home: Path, folder: Path, *commands: str) -> Iterator[Path]:
    """Run commands of the page in an empty folder; yield what they print."""
    folder.mkdir()
    script = "\n".join(map(of_page, commands)).replace("http://127.0.0.1:8000", server.base_url)
    for program in ("begin.py", "bot.py") if "install" in commands else ("begin.ts", "bot.ts"):
        (folder / program).write_text(of_page(program))
    log = home / f"{folder.name}.txt"
    with log.open("w") as output:
        shell = subprocess.Popen(
            ["bash", "-euc", script],
            cwd=folder,
            env={"HOME": str(home), "PATH": "/usr/local/bin:/usr/bin:/bin", "PYTHONUNBUFFERED": "1"},
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        try:
            yield log
        finally:
            os.killpg(shell.pid, signal.SIGKILL)
            shell.wait()


@pytest.mark.parametrize("commands", [("install", "run"), ("npm", "node")], ids=["python", "typescript"])
def test_the_guide_as_it_stands(commands: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "sealed-orders").symlink_to(ROOT)
    with databases.migrated("sqlite", "guides") as url, serving(url) as server:
        for name in ("first", "second") if LONG else ("first",):
            with (
                running(server, tmp_path, tmp_path / name, *commands) as log,
                Client(server.base_url, patience=60) as owner,
            ):
                campaign = the_campaign(owner, log)
                info = campaign.info()
                while not info.over:
                    info = campaign.wait(info, timeout=60)
                assert info.status == "finished", log.read_text()
