"""Guests: the form that makes a whole account of one, and what signing in means for one."""

from __future__ import annotations

from fastapi import APIRouter, Response

from server.http.signing import COOKIE, check_sign_in, set_cookie
from server.play.errors import PlayError
from server.play.people import guests
from server.web.page_context import PageDep, safe_path
from server.web.route import PageRoute

router = APIRouter(route_class=PageRoute)


@router.get("/keep")
def keep_page(page: PageDep, next: str = "/") -> Response:
    """Show the form; who has an account already is sent on."""
    if not page.actor.guest:
        return page.redirect(safe_path(next))
    return page.render("keep.html", back=safe_path(next))


@router.post("/keep")
def keep(page: PageDep) -> Response:
    """Make the guest a whole account."""
    check_sign_in(page.server, page.request)
    form, back = page.form, safe_path(page.form.text("next"))
    try:
        guests.keep(page.ctx, page.actor, form.text("name"), form.secret("password"), email=form.optional("email"))
    except PlayError as error:
        return page.render("keep.html", back=back, error=error)
    response = page.redirect(back, said="kept")
    set_cookie(page.server, response, page.request.cookies[COOKIE])
    return response
