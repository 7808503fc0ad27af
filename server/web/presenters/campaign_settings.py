"""How a campaign is played, in words: its rhythm, its rules, who may know what."""

from __future__ import annotations

from collections.abc import Iterator

from server.play.campaigns.campaign_info import CampaignInfo
from server.play.campaigns.holidays import UNLIMITED
from server.play.options import Options
from server.play.rhythm import GRID, ROLLING, Rhythm
from server.rules.state import Settings
from server.web.translations import Translations

Line = tuple[str, str]
"""What it is about, and what was chosen."""


def settings_lines(t: Translations, info: CampaignInfo) -> list[Line]:
    """Return everything a campaign has chosen, one line a subject."""
    return [
        *_rules(t, info.rules),
        (t("rule.deadlines"), rhythm(t, info.options.deadlines)),
        *_options(t, info.options),
    ]


def rhythm(t: Translations, chosen: Rhythm) -> str:
    """Say when phases are due."""
    if chosen.kind == ROLLING:
        others = [
            t("rule.rolling_phase", phase=t.name("phase", phase), n=hours)
            for phase, hours in chosen.hours_by_phase.items()
        ]
        zone = chosen.time_zone
        night = [t("rule.rest", start=chosen.rest_from, end=chosen.rest_to, zone=zone)] if chosen.rest_from else []
        return " ".join([t("rule.rolling", n=chosen.hours), *others, *night])
    if chosen.kind == GRID:
        days = ", ".join(t(f"time.weekday.{day}") for day in chosen.days)
        return t("rule.grid", days=days, times=", ".join(chosen.times), zone=chosen.time_zone)
    return t("rule.no_clock")


def _rules(t: Translations, rules: Settings) -> Iterator[Line]:
    ends = [t("rule.capital_eliminates" if rules.capital_eliminates else "rule.capital_ends")]
    for name in ("victory_points", "territory", "turn_limit"):
        if value := getattr(rules, name):
            ends.append(t(f"rule.ends.{name}", value=value))
    if rules.last_standing:
        ends.append(t("rule.ends.last_standing"))
    yield t("rule.victory"), " ".join(ends)
    yield t("rule.battles"), t(f"rule.battles_{rules.battles}")
    allied = "rule.allies_see" if rules.shared_sight else "rule.allies"
    yield t("rule.alliances"), t(allied if rules.alliances else "rule.no_allies")
    start = [t("rule.muster_on" if rules.muster else "rule.muster_off")]
    for name in ("start_bp", "start_urban_count", "start_resource_count"):
        if (value := getattr(rules, name)) is not None:
            start.append(t(f"rule.{name}", n=value))
    if rules.truce:
        start.append(t("rule.truce", value=rules.truce))
    yield t("rule.beginning"), " ".join(start)
    if rules.fleet:
        yield t("rule.fleet"), t("rule.fleet_on")


def _options(t: Translations, options: Options) -> Iterator[Line]:
    yield t("rule.players"), t("rule.anonymous" if options.anonymous else "rule.known")
    yield t("rule.finality"), t("rule.final_shown" if options.show_final else "rule.final_hidden")
    if options.until_deadline:
        yield t("rule.until_deadline"), t("rule.until_deadline_on")
    gm = [t("rule.gm_plays" if options.gm_plays else "rule.gm_only")]
    gm.append(t("rule.gm_sees" if options.gm_sees_orders else "rule.gm_blind"))
    if options.successor_days and not options.practice:
        gm.append(t("rule.succession", n=options.successor_days))
    yield t("rule.gm"), " ".join(gm)
    yield t("rule.spectators"), t("rule.watched" if options.spectators else "rule.unwatched")
    yield t("rule.absence"), " ".join(_absence(t, options))
    if not options.practice:
        ends = [t("rule.votes_on", n=options.vote_days) if options.vote_days else t("rule.votes_off")]
        ends += [t("rule.abandoned", n=options.abandoned_days)] if options.abandoned_days else []
        yield t("rule.votes"), " ".join(ends)
    dates, waits = options.table_date_days, options.table_wait_days
    about = [t("rule.table_dates", n=dates) if dates else t("rule.table_dates_off")]
    about.append(t("rule.table_waits", n=waits) if waits else t("rule.table_waits_off"))
    if options.table_roles == "power":
        about.append(t("rule.table_roles_power"))
    yield t("rule.tables"), " ".join(about)
    if options.warn_hours and options.deadlines.kind in (ROLLING, GRID):
        yield t("rule.warnings"), t("rule.warned", hours=", ".join(map(str, options.warn_hours)))


def _absence(t: Translations, options: Options) -> Iterator[str]:
    """Say what holds when someone is away, and who may come instead."""
    yield t(f"rule.stand_in_{options.stand_in}")
    if options.stand_in_after > 1:
        yield t("rule.stand_in_after", value=options.stand_in_after)
    if options.computer_seats:
        yield t("rule.computer_seats")
        if options.computers_give_up:
            yield t("rule.computers_give_up")
    if options.practice:
        yield t("rule.practice")
        return
    if options.holiday_days < UNLIMITED:
        yield t("rule.holidays", n=options.holiday_days)
    yield t("rule.take_over" if options.take_over else "rule.no_take_over")
    yield t("rule.out_watches" if options.out_watches else "rule.out_does_not_watch")
    if options.newcomer_deadlines > 1:
        yield t("rule.newcomer", n=options.newcomer_deadlines)
