"""A campaign's options and rules: the form that chooses them, with everything wrong with it, and as sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from server.bots.levels import REGULAR
from server.play.campaigns.campaign_info import CampaignInfo
from server.play.campaigns.holidays import UNLIMITED
from server.play.errors import PlayError
from server.play.options import Options, options_from, options_to, settings_from, settings_to
from server.play.rhythm import GRID, PHASES, ROLLING, Rhythm, rhythm_from, rhythm_to
from server.rules.state import Settings
from server.web.forms import Form
from server.web.translations import Translations

OPTION_FLAGS = (
    "anonymous",
    "spectators",
    "show_final",
    "until_deadline",
    "gm_sees_orders",
    "gm_plays",
    "computer_seats",
    "computers_give_up",
    "take_over",
    "out_watches",
    "guests",
)
OPTION_NUMBERS = (
    "table_date_days",
    "table_wait_days",
    "newcomer_deadlines",
    "vote_days",
    "abandoned_days",
    "successor_days",
    "holiday_days",
)
RULE_FLAGS = ("alliances", "shared_sight", "capital_eliminates", "last_standing", "muster", "fleet", "least_prices")
RULE_NUMBERS = ("victory_points", "territory", "turn_limit", "truce")
START_NUMBERS = ("start_bp", "start_urban_count", "start_resource_count")


@dataclass(slots=True)
class CampaignForm:
    """The choices, as JSON, and the problems by field."""

    options: dict[str, Any] = field(default_factory=dict)
    rules: dict[str, Any] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    starts: str = ""
    """When the campaign is to start, as it is typed in the reader's time zone."""

    @classmethod
    def of(cls, options: Options, rules: Settings, zone: ZoneInfo) -> CampaignForm:
        """Return what stands now, for a form to show."""
        starts = "" if options.starts_at is None else f"{options.starts_at.astimezone(zone):%Y-%m-%dT%H:%M}"
        return cls(options_to(options), settings_to(rules), starts=starts)

    @classmethod
    def read(cls, form: Form, zone: ZoneInfo, *, rules: bool = True) -> CampaignForm:
        """Read a form with times in that zone; *rules* False: only the options, without the time of the start."""
        made = cls(starts=form.text("options.starts_at"))
        made._options(form)
        if rules:
            starts = made.collect("options.starts_at", lambda: form.moment("options.starts_at", zone))
            made.options["starts_at"] = None if starts is None else starts.isoformat()
        if rules:
            made._rules(form)
        return made

    def collect(self, name: str, work: Callable[[], Any]) -> Any:
        """Do something and note what is wrong with it under its field (*name* where it names none)."""
        try:
            return work()
        except PlayError as error:
            self.problems[error.field or name] = error.message
            return None

    # --- inside ---

    def _options(self, form: Form) -> None:
        given = self.options
        for name in OPTION_FLAGS:
            given[name] = form.flag(f"options.{name}")
        given["stand_in"] = form.text("options.stand_in", "defaults")
        given["table_roles"] = form.text("options.table_roles", "battle")
        given["bot_level"] = form.text("options.bot_level", REGULAR)
        given["stand_in_after"] = self._integer(form, "options.stand_in_after", 1)
        for name in OPTION_NUMBERS:
            given[name] = self._integer(form, f"options.{name}", getattr(Options(), name))
        given["warn_hours"] = self._numbers(form, "options.warn_hours")
        given["deadlines"] = self._rhythm(form)
        for name, value in given.items():
            self._check(f"options.{name}", partial(options_from, {name: value}))

    def _rhythm(self, form: Form) -> Mapping[str, Any]:
        kind = form.text("deadlines.kind", "none")
        found: dict[str, Any] = rhythm_to(Rhythm(kind, time_zone=form.text("deadlines.time_zone", "UTC")))
        if kind == ROLLING:
            found["hours"] = self._integer(form, "options.deadlines.hours", 0, "deadlines.hours")
            typed = {phase: self._integer(form, f"options.deadlines.hours_by_phase.{phase}", None) for phase in PHASES}
            found["rest_from"], found["rest_to"] = form.text("deadlines.rest_from"), form.text("deadlines.rest_to")
            found["hours_by_phase"] = {phase: hours for phase, hours in typed.items() if hours is not None}
        if kind == GRID:
            found["days"] = [int(day) for day in form.many("deadlines.days") if day.isdecimal() and len(day) == 1]
            found["times"] = form.text("deadlines.times").replace(",", " ").split()[:30]
            found["least_hours"] = self._integer(form, "options.deadlines.least_hours", 1, "deadlines.least_hours")
        self._check("options.deadlines", lambda: rhythm_from(found, "options.deadlines"))
        return found

    def _rules(self, form: Form) -> None:
        given = self.rules
        for name in RULE_FLAGS:
            given[name] = form.flag(f"rules.{name}")
        for name in RULE_NUMBERS:
            given[name] = self._integer(form, f"rules.{name}", 0)
        for name in START_NUMBERS:
            given[name] = self._integer(form, f"rules.{name}", None)
        given["battles"] = form.text("rules.battles", "choice")
        for name, value in given.items():
            self._check(f"rules.{name}", partial(settings_from, {name: value}))

    def _check(self, name: str, work: Callable[[], Any]) -> None:
        if not any(field == name or field.startswith(f"{name}.") for field in self.problems):
            self.collect(name, work)

    def _integer(self, form: Form, name: str, default: int | None, typed: str = "") -> int | None:
        found = self.collect(name, lambda: form.integer(typed or name, default))
        if name not in self.problems and typed in self.problems:
            self.problems[name] = self.problems.pop(typed)
        return default if found is None else found

    def _numbers(self, form: Form, name: str) -> list[Any]:
        words = form.text(name).replace(",", " ").split()[:20]
        return [int(word) if word.isdecimal() and len(word) < 6 else word for word in words]


Line = tuple[str, str]
"""What it is about, and what was chosen."""


def settings_lines(t: Translations, info: CampaignInfo) -> list[Line]:
    """Return everything a campaign has chosen, one line a subject."""
    return [
        *_rule_lines(t, info.rules),
        (t("rule.deadlines"), rhythm(t, info.options.deadlines)),
        *_option_lines(t, info.options),
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


def _rule_lines(t: Translations, rules: Settings) -> Iterator[Line]:
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


def _option_lines(t: Translations, options: Options) -> Iterator[Line]:
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
