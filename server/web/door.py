"""The way into the pages: all that the server knows of them until somebody asks for the first.

Whatever is called here imports the rest of the package. A server that only serves programs never does.
"""

from __future__ import annotations

from anyio import to_thread
from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException
from starlette.types import Scope

from server.api.late_routes import LateRoutes
from server.api.problems import Refused
from server.play.notices.chat import ChatNotice


def install(app: FastAPI) -> None:
    """Have the first request for a page bring all pages; what is not found outside the API is told as a page."""
    app.state.pages = LateRoutes("server.web.site", _may_be_page)
    app.router.routes.append(app.state.pages)
    otherwise = app.exception_handlers[HTTPException]

    async def not_here(request: Request, error: Exception) -> Response:
        if not _reads_pages(request):
            return await otherwise(request, error)  # type: ignore[misc, no-any-return]
        return await to_thread.run_sync(_error_page, request, error)

    app.add_exception_handler(HTTPException, not_here)


def render_error(scope: Scope, refused: Refused) -> Response:
    """Return what tells a refusal of the server's edge: a page to people who read pages."""
    request = Request(scope)
    if not _reads_pages(request):
        return refused.response()
    request.app.state.pages.install(request.app)
    from server.web import route

    return route.error_page(route.anonymous(request), refused)


def chat_text(said: ChatNotice, base: str) -> str:
    """Return what is posted of a notice to a chat; *base* is where people reach the server."""
    from server.web import discord

    return discord.text(said, base)


def translate(language: str, sentence: str) -> str:
    """Return a sentence of the rules or of a use case in a language of the pages."""
    from server.web.translations import Translations

    return Translations(language).translate(sentence)


def _may_be_page(path: str) -> bool:
    return not path.startswith("/api/")


def _error_page(request: Request, error: Exception) -> Response:
    request.app.state.pages.install(request.app)
    from server.web import route

    return route.error_page(route.page_context(request), error)


def _reads_pages(request: Request) -> bool:
    return "text/html" in request.headers.get("accept", "") and not request.url.path.startswith(("/api/", "/static"))
