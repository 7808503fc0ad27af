"""What a server that has started has not loaded: libraries that only pictures need, and that take long to load.

Seen to fail with an import of `hexalattice` at the top of a file.
"""

from __future__ import annotations

import json
import subprocess
import sys

from tests.store import databases

HEAVY = ("hexalattice", "matplotlib", "resvg_py")
STARTED = f"""
import asyncio, json, sys
from server.app import create_app
from server.settings import Settings

async def main():
    app = create_app(Settings(_env_file=None, database_url=sys.argv[1]))
    async with app.router.lifespan_context(app):
        print(json.dumps([each for each in {HEAVY!r} if each in sys.modules]))

asyncio.run(main())
"""


def test_libraries_for_pictures_are_loaded_by_the_first_picture() -> None:
    with databases.migrated("sqlite", "start") as url:
        whole = url.render_as_string(hide_password=False)
        done = subprocess.run([sys.executable, "-c", STARTED, whole], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[-1]) == []
