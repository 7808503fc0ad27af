"""What a campaign asks of somebody, in one sentence, and where he answers."""

from __future__ import annotations

from dataclasses import dataclass

from server.play.dashboard import DashboardEntry
from server.web.texts import Texts


@dataclass(frozen=True, slots=True)
class Ask:
    """What is asked."""

    tone: str
    """``now``: it waits for the reader; ``calm``: it waits for others; ``done``: nobody waits."""
    sentence: str
    button: str
    url: str


def ask(t: Texts, each: DashboardEntry) -> Ask:
    """Return what a campaign wants most from somebody."""
    page = f"/campaigns/{each.id}"
    if each.status == "running" and each.wanted and not each.final:
        return _orders(t, each, page)
    if each.status == "running" and each.seat is not None:
        sentence = t("home.final" if each.wanted else "home.nothing")
        if each.players_final is not None:
            sentence += " " + t("home.how_many_final", final=each.players_final, players=each.players)
        return Ask("calm", sentence, t("home.look"), f"{page}/table")
    if each.status == "running":
        sentence = t("home.you_run", final=each.players_final, players=each.players)
        return Ask("calm", sentence, t("home.run"), f"{page}/gm")
    if each.status == "open":
        key = "home.gather" if each.gm else "home.waits_for_gm"
        return Ask("now" if each.gm else "calm", t(key, taken=each.taken, seats=each.seats), t("home.open"), page)
    if each.status == "paused":
        return Ask("calm", t("home.paused"), t("home.run" if each.gm else "home.look"), f"{page}{_gm(each)}")
    if each.status == "deleted":
        return Ask("done", t("home.deleted"), t("home.restore"), f"{page}/gm")
    return Ask("done", t("home.over"), t("home.results"), page)


def _orders(t: Texts, each: DashboardEntry, page: str) -> Ask:
    phase = t.name("phase", each.phase or "")
    if each.phase == "reports":
        return Ask("now", t("home.report"), t("home.to_battles"), f"{page}/battles")
    sentence = t("home.not_final" if each.handed_in else "home.nothing_sent", phase=phase)
    return Ask("now", sentence, t("home.give_orders"), f"{page}/table")


def _gm(each: DashboardEntry) -> str:
    return "/gm" if each.gm else ""
