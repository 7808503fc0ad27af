"""What a campaign asks of somebody, in one sentence, and where they answer."""

from __future__ import annotations

from dataclasses import dataclass

from server.play.dashboard import DashboardEntry
from server.web.translations import Translations


@dataclass(frozen=True, slots=True)
class NextAction:
    """What is asked."""

    tone: str
    """``now``: it waits for the reader; ``calm``: it waits for others; ``done``: nobody waits."""
    sentence: str
    button: str
    url: str


def next_action(t: Translations, each: DashboardEntry) -> NextAction:
    """Return what a campaign wants most from somebody."""
    page = f"/campaigns/{each.id}"
    if each.status == "running" and each.wanted and not each.final:
        return _orders(t, each, page)
    if each.status == "running" and each.seat is not None:
        sentence = t("home.final" if each.wanted else "home.nothing")
        if each.players_final is not None:
            sentence += " " + t("home.how_many_final", final=each.players_final, players=each.players)
        return NextAction("calm", sentence, t("home.look"), f"{page}/table")
    if each.status == "running":
        sentence = t("home.you_run", final=each.players_final, players=each.players)
        return NextAction("calm", sentence, t("home.run"), f"{page}/gm")
    if each.status == "open":
        key = "home.gather" if each.gm else "home.waits_for_gm"
        return NextAction(
            "now" if each.gm else "calm", t(key, taken=each.taken, seats=each.seats), t("home.open"), page
        )
    if each.status == "paused":
        return NextAction("calm", t("home.paused"), t("home.run" if each.gm else "home.look"), f"{page}{_gm(each)}")
    if each.status == "deleted":
        return NextAction("done", t("home.deleted"), t("home.restore"), f"{page}/gm")
    return NextAction("done", t("home.over"), t("home.results"), page)


def _orders(t: Translations, each: DashboardEntry, page: str) -> NextAction:
    phase = t.name("phase", each.phase or "")
    if each.phase == "reports":
        return NextAction("now", t("home.report"), t("home.to_battles"), f"{page}/battles")
    sentence = t("home.not_final" if each.handed_in else "home.nothing_sent", phase=phase)
    return NextAction("now", sentence, t("home.give_orders"), f"{page}/table")


def _gm(each: DashboardEntry) -> str:
    return "/gm" if each.gm else ""
