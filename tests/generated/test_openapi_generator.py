"""What openapi-generator makes of the API's description compiles: TypeScript and Go.

It takes java, openapi-generator and a whole Go. ``make generated`` installs the last two; without them this file is not
collected (``conftest``).
"""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.generated.test_generated import HERE, folder, pytestmark, run
from tests.generated.test_generators import STRICT

__all__ = ["folder", "pytestmark"]

TOOLS = HERE / ".tools" / "bin"
VALIDATOR = "package validator\n\nfunc Validate(v any) error { return nil }\n"
"""Stands for the one module that generated Go imports: it is not in the registries that we use."""


def test_openapi_generator_for_typescript(folder: Path) -> None:
    _openapi_generator(folder, "typescript-fetch", "fetch")
    run("tsc", *STRICT, "fetch/index.ts", cwd=folder)


def test_openapi_generator_for_go(folder: Path) -> None:
    # without the prefix two enumerations cannot have a word in common, such as `bot`: seen to fail
    _openapi_generator(folder, "go", "go", "--additional-properties=packageName=sealed,enumClassPrefix=true")
    (folder / "validator").mkdir()
    (folder / "validator" / "validator.go").write_text(VALIDATOR)
    (folder / "validator" / "go.mod").write_text("module gopkg.in/validator.v2\n\ngo 1.21\n")
    shutil.rmtree(folder / "go" / "test")  # needs another module
    go = TOOLS / "go"
    run(go, "mod", "edit", "-replace", "gopkg.in/validator.v2=../validator", cwd=folder / "go")
    run(go, "build", "./...", cwd=folder / "go", GOFLAGS="-mod=mod", GOPROXY="off", GOCACHE=str(folder / "cache"))


def _openapi_generator(folder: Path, language: str, output: str, *more: str) -> None:
    tool = TOOLS / "openapi-generator-cli"
    run(tool, "generate", "-i", "openapi.json", "-g", language, "-o", output, *more, cwd=folder)
