"""What the other generators make of the API's description compiles as strictly as its language can.

``make generated`` installs their tools: orval and pyright from npm, openapi-generator (needs java) and Go from PyPI.
Seen to fail: ``mypy --strict`` with schemas that are called like one of their fields.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.client.test_guide import of_page
from tests.generated.test_generated import HERE, TOOLS, folder, pytestmark, run

__all__ = ["folder", "pytestmark"]

PYTHON_TOOLS = HERE / ".tools" / "bin"
STRICT = (
    "--strict", "--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler", "--noEmit",
)  # fmt: skip
VALIDATOR = "package validator\n\nfunc Validate(v any) error { return nil }\n"
"""Stands for the one module that generated Go imports: it is not in the registries that we use."""

orval = pytest.mark.skipif(not (TOOLS / "orval").exists(), reason="orval is missing: `make generated` installs it")
generator = pytest.mark.skipif(
    not (PYTHON_TOOLS / "openapi-generator-cli").exists() or shutil.which("java") is None,
    reason="openapi-generator or java is missing: `make generated` installs it",
)


@orval
def test_orval(folder: Path) -> None:
    run("orval", "--input", "openapi.json", "--output", "orval/client.ts", "--client", "fetch", cwd=folder)
    run("tsc", *STRICT, "orval/client.ts", cwd=folder)


def test_types_of_hey_api_with_exact_optional_properties(folder: Path) -> None:
    """Its types alone: its own client does not compile with them, whatever the description is."""
    run("openapi-ts", "-i", "openapi.json", "-o", "exact", "-p", "@hey-api/typescript", cwd=folder)
    run("tsc", *STRICT, "--exactOptionalPropertyTypes", "exact/types.gen.ts", cwd=folder)


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


@generator
def test_openapi_generator_for_typescript(folder: Path) -> None:
    _openapi_generator(folder, "typescript-fetch", "fetch")
    run("tsc", *STRICT, "fetch/index.ts", cwd=folder)


@generator
def test_openapi_generator_for_go(folder: Path) -> None:
    _openapi_generator(folder, "go", "go", "--additional-properties=packageName=sealed")
    (folder / "validator").mkdir()
    (folder / "validator" / "validator.go").write_text(VALIDATOR)
    (folder / "validator" / "go.mod").write_text("module gopkg.in/validator.v2\n\ngo 1.21\n")
    shutil.rmtree(folder / "go" / "test")  # needs another module
    go = PYTHON_TOOLS / "go"
    run(go, "mod", "edit", "-replace", "gopkg.in/validator.v2=../validator", cwd=folder / "go")
    run(go, "build", "./...", cwd=folder / "go", GOFLAGS="-mod=mod", GOPROXY="off", GOCACHE=str(folder / "cache"))


def _openapi_generator(folder: Path, language: str, output: str, *more: str) -> None:
    tool = PYTHON_TOOLS / "openapi-generator-cli"
    run(tool, "generate", "-i", "openapi.json", "-g", language, "-o", output, *more, cwd=folder)


@pytest.mark.skipif(not (TOOLS / "pyright").exists(), reason="pyright is missing: `make generated` installs it")
def test_the_bot_of_the_guide_passes_pyright(folder: Path) -> None:
    bot = folder / "pyright"
    bot.mkdir()
    for name in ("begin.py", "bot.py"):
        (bot / name).write_text(of_page(name))
    client = HERE.parents[1] / "client"
    (bot / "pyrightconfig.json").write_text(f'{{"typeCheckingMode": "strict", "extraPaths": ["{client}"]}}')
    assert "0 errors, 0 warnings" in run("pyright", cwd=bot)
