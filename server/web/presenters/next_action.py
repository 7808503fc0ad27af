"""What a campaign asks of someone, in one sentence, and where they answer."""

from __future__ import annotations

from dataclasses import dataclass

from server.play.campaigns.dashboard import DashboardEntry
from server.web.translations import Translations


@dataclass(frozen=True, slots=True)
class NextAction:
    """The next action."""

    tone: str
    """``now``: it waits for the reader; ``calm``: it waits for others; ``done``: nobody waits."""
    sentence: str
    button: str
    url: str


def next_action(t: Translations, entry: DashboardEntry) -> NextAction:
    """Return what a campaign wants most from someone."""
    page = f"/campaigns/{entry.id}"
    if entry.status == "running" and entry.wanted and not entry.final:
        return _orders(t, entry, page)
    if entry.status == "running" and entry.seat is not None:
        sentence = t("home.final" if entry.wanted else "home.nothing")
        if entry.players_final is not None:
            sentence += " " + t("home.how_many_final", final=entry.players_final, players=entry.players)
        return NextAction("calm", sentence, t("home.look"), f"{page}/table")
    if entry.status == "running":
        sentence = t("home.you_run", final=entry.players_final, players=entry.players)
        return NextAction("calm", sentence, t("home.run"), f"{page}/gm")
    if entry.status == "open":
        key = "home.gather" if entry.gm else "home.waits_for_gm"
        return NextAction(
            "now" if entry.gm else "calm", t(key, taken=entry.taken, seats=entry.seats), t("home.open"), page
        )
    if entry.status == "paused":
        return NextAction("calm", t("home.paused"), t("home.run" if entry.gm else "home.look"), f"{page}{_gm(entry)}")
    if entry.status == "deleted":
        return NextAction("done", t("home.deleted"), t("home.restore"), f"{page}/gm")
    return NextAction("done", t("home.over"), t("home.results"), page)


def _orders(t: Translations, entry: DashboardEntry, page: str) -> NextAction:
    phase = t.name("phase", entry.phase or "")
    if entry.phase == "reports":
        return NextAction("now", t("home.report"), t("home.to_battles"), f"{page}/battles")
    sentence = t("home.not_final" if entry.handed_in else "home.nothing_sent", phase=phase)
    return NextAction("now", sentence, t("home.give_orders"), f"{page}/table")


def _gm(entry: DashboardEntry) -> str:
    return "/gm" if entry.gm else ""
