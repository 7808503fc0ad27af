"""What a server that has started has not loaded: large libraries that only some requests need.

Seen to fail with an import of `hexalattice` or `PIL` at the top of a file, and with `rich` imported for the logs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

from tests.store import databases

HEAVY = (
    "PIL",
    "aiosmtpd",
    "aiosmtplib",
    "alembic",
    "argon2",
    "charset_normalizer",
    "cryptography",
    "fpdf",
    "hexalattice",
    "imap_tools",
    "markdown_it",
    "matplotlib",
    "resvg_py",
    "rich",
    "segno",
    "selectolax",
)
"""What pictures, receipts, passwords, mails and the rulebook need."""
STARTED = f"""
import asyncio, gc, json, sys
import server.cli, server.commands.serving
from server.serving import application

async def main():
    app = application()
    async with app.router.lifespan_context(app):
        loaded = [each for each in {HEAVY!r} if each in sys.modules]
        print(json.dumps({{"loaded": loaded, "collecting": gc.isenabled()}}))

asyncio.run(main())
"""


def test_a_start_leaves_to_later_what_only_some_requests_need() -> None:
    with databases.migrated("sqlite", "start") as url:
        environment = os.environ | {"SEALED_ORDERS_DATABASE_URL": url.render_as_string(), "SEALED_ORDERS_TICKER": "0"}
        done = subprocess.run(
            [sys.executable, "-c", STARTED], capture_output=True, text=True, check=True, env=environment
        )
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["loaded"] == []
    assert found["collecting"], "garbage is collected again"
