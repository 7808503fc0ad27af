"""What the other generators make of the API's description compiles as strictly as its language can.

openapi-generator and Go have a file of their own. What takes long here is left to `make generated`. Seen to fail:
``mypy --strict`` with schemas called like one of
their fields.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.client.test_guide import of_page
from tests.generated.test_generated import HERE, TOOLS, folder, pytestmark, run

__all__ = ["folder", "pytestmark"]

STRICT = (
    "--strict", "--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler", "--noEmit",
)  # fmt: skip


orval = pytest.mark.skipif(not (TOOLS / "orval").exists(), reason="orval is missing: `make generated` installs it")


@pytest.mark.deep
@orval
def test_orval(folder: Path) -> None:
    run("orval", "--input", "openapi.json", "--output", "orval/client.ts", "--client", "fetch", cwd=folder)
    run("tsc", *STRICT, "orval/client.ts", cwd=folder)


@pytest.mark.deep
def test_types_of_hey_api_with_exact_optional_properties(folder: Path) -> None:
    """Its types alone: its own client does not compile with them, whatever the description is."""
    run("openapi-ts", "-i", "openapi.json", "-o", "exact", "-p", "@hey-api/typescript", cwd=folder)
    run("tsc", *STRICT, "--exactOptionalPropertyTypes", "exact/types.gen.ts", cwd=folder)


@pytest.mark.deep
def test_python_is_typed(folder: Path) -> None:
    made = folder / "typed" / "made"
    made.parent.mkdir()
    run(
        "openapi-python-client",
        "generate",
        "--path",
        "openapi.json",
        "--output-path",
        made,
        "--meta",
        "none",
        "--fail-on-warning",
        cwd=folder,
    )
    told = run("sh", "-c", "mypy --strict made || true", cwd=made.parent)
    assert "Found" in told or "Success" in told
    own = "made/client.py"  # the generator's, whatever the description is
    assert [line for line in told.splitlines() if "error:" in line and not line.startswith(own)] == []


@pytest.mark.deep
@pytest.mark.skipif(not (TOOLS / "pyright").exists(), reason="pyright is missing: `make generated` installs it")
def test_the_bot_of_the_guide_passes_pyright(folder: Path) -> None:
    bot = folder / "pyright"
    bot.mkdir()
    for name in ("begin.py", "bot.py"):
        (bot / name).write_text(of_page(name))
    client = HERE.parents[1] / "client"
    (bot / "pyrightconfig.json").write_text(f'{{"typeCheckingMode": "strict", "extraPaths": ["{client}"]}}')
    assert "0 errors, 0 warnings" in run("pyright", cwd=bot)
