"""The TypeScript of the guide for bots: compiled strictly, it leads from an empty server to a running game."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

from sealed_orders import Client
from tests.client.club import PASSWORD
from tests.client.test_guide import of_page, until_turn
from tests.e2e.processes import serving
from tests.generated.test_generated import STRICT, folder, pytestmark, run
from tests.store import databases

__all__ = ["folder", "pytestmark"]


def test_the_typescript_of_the_guide(folder: Path, tmp_path: Path) -> None:
    """The server is killed and comes back: the bots go on. Nothing of what they write is refused."""
    run("openapi-typescript", "openapi.json", "-o", "schema.ts", cwd=folder)
    for name in ("begin.ts", "bot.ts"):
        (folder / name).write_text(of_page(name))
    run("tsc", *STRICT, "--outDir", "out", "begin.ts", "bot.ts", cwd=folder)
    with databases.migrated("sqlite", "guide_ts") as url, serving(url) as server:
        known = {"SEALED_ORDERS_SERVER": server.base_url, "SEALED_ORDERS_PASSWORD": PASSWORD}
        campaign_id = run("node", folder / "out" / "begin.js", cwd=folder, **known).strip()
        bots = []
        try:
            for faction in ("orks", "eldar"):
                file = {"SEALED_ORDERS_TOKEN_FILE": str(folder / f"{faction}.token")}
                with (tmp_path / f"{faction}.txt").open("w") as log:
                    command = ["node", str(folder / "out" / "bot.js")]
                    bots.append(subprocess.Popen(command, env={**os.environ, **known, **file}, stdout=log, stderr=log))
            with Client(server.base_url, patience=60) as owner:
                owner.sign_in("Ann", PASSWORD)
                until_turn(owner.campaign(campaign_id), 1)
                server.kill()
                time.sleep(1.0)
                server.start()
                until_turn(owner.campaign(campaign_id), 2)
        finally:
            for bot in bots:
                bot.kill()
                bot.wait()
    for faction in ("orks", "eldar"):
        told = (tmp_path / f"{faction}.txt").read_text()
        assert all(line.split()[-1].isdecimal() for line in told.splitlines()), told
        assert len(told.splitlines()) > 3, told
