"""Linters find nothing in the API's description, and clients that generators make from it play a whole turn.

Needs node 20 or later, and once ``npm ci`` in this folder; ``.ci/run`` sees to both. Where the tools are missing, these
tests are left out with a message, unless ``SEALED_ORDERS_TEST_GENERATED=1`` asks for them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson
import pytest
from fastapi.testclient import TestClient
from sqlalchemy.engine import URL

from server.app import create_app
from tests.api.asking import described
from tests.api.club import Club, found
from tests.api.conftest import settings_for
from tests.api.serving import serving
from tests.play.conftest import Clock
from tests.store import databases

HERE = Path(__file__).parent
TOOLS = HERE / "node_modules" / ".bin"
ASKED = os.environ.get("SEALED_ORDERS_TEST_GENERATED") == "1"
pytestmark = pytest.mark.skipif(
    not ASKED and not TOOLS.is_dir(), reason="generated clients need node: run `npm ci` in tests/generated"
)
STRICT = ("--strict", "--noUncheckedIndexedAccess", "--target", "es2022", "--module", "nodenext", "--skipLibCheck")


def run(*command: object, cwd: Path, **env: str) -> str:
    """Run a tool to its good end and return what it said."""
    path = f"{TOOLS}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    quiet = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true", "NO_COLOR": "1"}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=os.environ | quiet | {"PATH": path} | env,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, f"{command}: {done.stdout[-4000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the description and the tools."""
    made = tmp_path_factory.mktemp("generated")
    (made / "openapi.json").write_bytes(orjson.dumps(described()))
    (made / "node_modules").symlink_to(HERE / "node_modules")
    (made / "package.json").write_text('{"type": "module"}')
    (made / "tsconfig.json").write_text('{"compilerOptions": {"module": "nodenext"}}')
    return made


@contextmanager
def running() -> Iterator[tuple[str, Club]]:
    """A real server with a campaign of two that has just begun."""
    with databases.migrated("sqlite", "generated") as url:
        club = _begun(url)
        with serving(url, Clock()) as server:
            yield server.base_url, club


def _begun(url: URL) -> Club:
    with TestClient(create_app(settings_for(url), clock=Clock()), base_url="http://127.0.0.1:8000") as client:
        return found(client)


def test_linters_find_nothing(folder: Path) -> None:
    told = run("redocly", "lint", "--extends=recommended", "openapi.json", cwd=folder)
    assert "warning" not in told.lower().replace("deprecation warning", "")
    told = run("spectral", "lint", "--fail-severity=hint", "-r", HERE / "spectral.yaml", "openapi.json", cwd=folder)
    assert "No results with a severity of 'hint' or higher found!" in told


def test_typescript_plays_a_turn(folder: Path) -> None:
    run("openapi-typescript", "openapi.json", "-o", "schema.ts", cwd=folder)
    (folder / "turn.ts").write_text((HERE / "turn.ts").read_text())
    run("tsc", *STRICT, "--outDir", "out", "turn.ts", cwd=folder)
    with running() as (server, club):
        told = run("node", "out/turn.js", server, club.id, *(player.secret for player in club.players), cwd=folder)
    assert int(told.split()[0]) > 1


@pytest.mark.deep
def test_another_generator_for_typescript(folder: Path) -> None:
    told = run("openapi-ts", "-i", "openapi.json", "-o", "made", cwd=folder)
    assert "warn" not in told.lower()
    (folder / "reads.ts").write_text((HERE / "reads.ts").read_text())
    run("tsc", *STRICT, "--module", "esnext", "--moduleResolution", "bundler", "--noEmit", "reads.ts", cwd=folder)


def test_python_plays_a_turn(folder: Path) -> None:
    told = run(
        "openapi-python-client",
        "generate",
        "--path",
        "openapi.json",
        "--output-path",
        "python/made",
        "--meta",
        "none",
        "--fail-on-warning",
        "--overwrite",
        cwd=_made(folder / "python").parent,
    )
    assert "warning" not in told.lower()
    with running() as (server, club):
        program = (sys.executable, HERE / "turn_client.py", server, club.id)
        told = run(*program, *(player.secret for player in club.players), cwd=folder, PYTHONPATH=str(folder / "python"))
    assert int(told.split()[0]) > 1


def _made(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    return folder
