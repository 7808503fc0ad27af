"""Scripts, styles and pictures, under an address that changes when any of them changes."""

from __future__ import annotations

import hashlib
import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from fastapi import Request, Response

from server.http.problems import Refused

FOLDER = Path(__file__).parent / "static"
PREFIX = "/static"
_FOREVER = "public, max-age=31536000, immutable"

mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("image/svg+xml", ".svg")
mimetypes.add_type("application/manifest+json", ".webmanifest")


@dataclass(frozen=True, slots=True)
class Assets:
    """All files of ``static``, read once."""

    files: dict[str, bytes]
    version: str
    """Changes with the content of any of them."""

    @classmethod
    def read(cls, folder: Path = FOLDER, made: Mapping[str, bytes] | None = None) -> Assets:
        """Read the files below *folder*; *made* are some more, that stand in no folder."""
        paths = sorted(file for file in folder.rglob("*") if file.is_file())
        files = {file.relative_to(folder).as_posix(): file.read_bytes() for file in paths} | dict(made or {})
        digest = hashlib.sha256()
        for name, content in files.items():
            digest.update(f"{name} {len(content)} ".encode() + content)
        return cls(files, digest.hexdigest()[:12])

    def url(self, name: str) -> str:
        """Return the address of a file; modules may import their neighbours by relative names."""
        if name not in self.files:
            raise LookupError(f"there is no static file {name!r}")
        return f"{PREFIX}/{self.version}/{name}"

    def serve(self, request: Request, name: str) -> Response:
        """Answer a request for a file; one of another version is served too, but not kept."""
        content = self.files.get(name)
        if content is None:
            raise Refused("not_found")
        current = request.path_params.get("version") == self.version
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return Response(content, 200, {"Cache-Control": _FOREVER if current else "no-cache"}, kind)
