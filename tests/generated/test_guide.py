"""The TypeScript of the guide for bots: compiled strictly, it leads from an empty server to a running game."""

from __future__ import annotations

import os
import re
import subprocess
import time
from pathlib import Path

from sealed_orders import Client
from tests.client.club import PASSWORD
from tests.client.test_guide import longer, of_page, until_said, until_turn
from tests.e2e.processes import serving
from tests.generated.test_generated import STRICT, folder, pytestmark, run
from tests.store import databases

__all__ = ["folder", "pytestmark"]


def test_the_typescript_of_the_guide(folder: Path, tmp_path: Path) -> None:
    """The server is killed and comes back: the bots go on. Nothing of what they write is refused."""
    run("openapi-typescript", "openapi.json", "-o", "schema.ts", cwd=folder)
    (folder / "begin.ts").write_text(longer(of_page("begin.ts")))
    (folder / "bot.ts").write_text(of_page("bot.ts"))
    run("tsc", *STRICT, "--outDir", "out", "begin.ts", "bot.ts", cwd=folder)
    with databases.migrated("sqlite", "guide_ts") as url, serving(url) as server:
        known = {"SEALED_ORDERS_SERVER": server.base_url, "SEALED_ORDERS_PASSWORD": PASSWORD}
        said = re.search(r"as (.+) to watch .*/(\w+)$", run("node", folder / "out" / "begin.js", cwd=folder, **known))
        assert said is not None
        bots = []
        try:
            for faction in ("orks", "eldar"):
                token = {"SEALED_ORDERS_TOKEN": (folder / f"{faction}.token").read_text()}
                with (tmp_path / f"{faction}.txt").open("w") as log:
                    command = ["node", str(folder / "out" / "bot.js")]
                    bots.append(subprocess.Popen(command, env={**os.environ, **known, **token}, stdout=log, stderr=log))
            with Client(server.base_url, patience=60) as owner:
                owner.sign_in(said[1], PASSWORD)
                until_turn(owner.campaign(said[2]), 1)
                server.kill()
                time.sleep(1.0)
                server.start()
                until_turn(owner.campaign(said[2]), 2)
                with Client(server.base_url, (folder / "orks.token").read_text()) as player:
                    player.revoke_token(player.tokens()[0].id)
                until_said(tmp_path / "orks.txt", "The token is no longer valid")
                assert bots[0].wait(20) == 1
        finally:
            for bot in bots:
                bot.kill()
                bot.wait()
    for faction in ("orks", "eldar"):
        told = (tmp_path / f"{faction}.txt").read_text().splitlines()
        given = [line for line in told if line[0].isdecimal()]
        assert all(line.split()[-1].isdecimal() for line in given), told
        assert len(given) > 3, told
