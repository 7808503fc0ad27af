"""The form in which a campaign chooses: what was typed into it, and everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from server.bots.levels import REGULAR
from server.play.errors import PlayError
from server.play.options import Options, options_from, options_to, settings_from, settings_to
from server.play.rhythm import GRID, PHASES, ROLLING, Rhythm, rhythm_from, rhythm_to
from server.rules.state import Settings
from server.web.forms import Form

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
