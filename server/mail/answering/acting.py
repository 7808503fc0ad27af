"""What the lines of one mail do, as its sender's account and seat; each has a sentence in the answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from server.mail.answering import written
from server.mail.inbound import verbs
from server.mail.inbound.verbs import Verb
from server.play.battles import battles
from server.play.campaigns import campaign_info, campaigns, seats
from server.play.campaigns.campaign_info import CampaignInfo
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.game_masters import game_master
from server.play.messages import messages
from server.play.notices import webhooks
from server.play.notices.reply_tags import Tag
from server.play.orders import orders, orders_in_advance
from server.play.text_input import check_orders_size
from server.play.views import history, positions
from server.render import translations
from server.rules import drafting
from server.rules.sight import View
from server.store.tables import User

Line = dict[str, Any]
"""A sentence of the answer: ``key`` and what fills it, or ``text`` as it is, with ``items`` or ``code`` below."""


@dataclass(slots=True)
class MailCommandHandler:
    """One mail being carried out."""

    ctx: AppContext
    actor: Actor
    tag: Tag
    said: list[Line] = field(default_factory=list)
    confirm: tuple[str, int] | None = None
    """What the game master has to confirm: ``advance``, or ``extend`` and its hours."""
    attach_map: bool = False
    understood: bool = False
    """It asks for something, or a line at least begins like an order."""
    receipt: str | None = None
    """Of the server, for orders that were stored."""
    names: Mapping[str, str] = field(default_factory=dict)
    """What the players are called, by id."""

    def carry_out(self, text: str) -> list[Line]:
        """Do what a mail asks for; returns the answer's sentences."""
        parted = verbs.part(text)
        given = {verb.name for verb in parted.verbs}
        self.understood = bool(given)
        if self.tag.purpose == "message" and not given & {"stop", "help", "message"}:
            self._try(self._reply, text)
            return self.said
        if self.tag.player_id:
            self._try(self._orders, parted, given)
        for verb in parted.verbs:
            if (act := _ACTS.get(verb.name)) is not None:
                self._try(act, self, verb)
        if self.receipt is not None:
            self._say("receipt", code=self.receipt)
        if not self.said:
            self._say("nothing")
            self._help(Verb("help", "", 0))
        return self.said

    # --- orders ---

    def _orders(self, parted: verbs.ParsedMail, given: set[str]) -> None:
        now = positions.position(self.ctx, self.actor, self.tag.campaign_id, as_=self.tag.player_id)
        late, view = (self.tag.number, self.tag.branch) != (now.number, now.branch), now.view
        read = written.read(parted.orders, view, self._players())
        self.understood |= any(not problem.unknown for problem in read.problems)
        salt = next((verb.rest for verb in parted.verbs if verb.name == "luck" and verb.rest), None)
        allies, refused = self._alliances(parted.verbs)
        results = [order for order in read.orders if _is_result(order)]
        lines = [line for line, order in zip(read.lines, read.orders, strict=True) if not _is_result(order)]
        wanted = [*(order for order in read.orders if not _is_result(order)), *allies]
        words_only = not any(_like_an_order(problem) for problem in read.problems)
        refused += self._not_read(read, chatter=bool(read.orders or wanted or parted.verbs) or words_only)
        for result in results:
            self._try(self._result, view, result, "forecast" in given)
        final = True if "final" in given else False if "not_final" in given else read.final
        if late and (wanted or final is not None or salt):
            self._try(self._late, wanted, "keep" in given)
        elif wanted:
            repeats = {place: read.repeats[line] for place, line in enumerate(lines) if line in read.repeats}
            self._try(self._store, view, wanted, lines, refused, final, salt, "forecast" in given, repeats)
            return
        elif final is not None or salt is not None:
            self._try(self._declare, final, salt, refused)
        if refused:
            self._refused(refused)

    def _store(
        self, view: View, wanted: list[Any], lines: Sequence[int], refused: list[Line], final: bool | None,
        salt: str | None, forecast: bool, repeats: Mapping[int, bool] = orders.NO_REPEATS,
    ) -> None:  # fmt: skip
        seat, id_ = self.tag.player_id, self.tag.campaign_id
        check_orders_size(wanted)
        found = orders.problems_of(view, wanted)
        for problem in found:
            line = lines[problem.order] if problem.order < len(lines) else 0
            text = self._written([wanted[problem.order]], view) if problem.order < len(wanted) else ""
            refused.append({"line": line, "text": text.partition("\n")[0], "why": problem.message})
        places = [place for place in range(len(wanted)) if place not in {problem.order for problem in found}]
        good = [wanted[place] for place in places]
        kept = {at: repeats[place] for at, place in enumerate(places) if place in repeats}
        stores = drafting.stores_left(view, good)
        if not forecast and (good or not refused):
            done = orders.replace(
                self.ctx,
                self.actor,
                id_,
                good,
                number=self.tag.number,
                salt=salt,
                seat=seat,
                source="mail",
                final=bool(final) and not refused,
                lenient=True,
                repeats=kept,
            )
            self.receipt = done.orders.receipt
        self._say(
            "forecast" if forecast else "understood",
            turn=view.state.turn,
            phase_name=view.state.phase,
            code=self._written(good, view, [good[at] for at, repeated in kept.items() if repeated]),
        )
        if refused:
            self._refused(refused)
            if final:
                self._say("not_final_refused")
        elif final and not forecast:
            self._say("final", turn=view.state.turn, phase_name=view.state.phase)
        if not forecast and self.receipt and not final:
            self._say("not_final_yet")
        if stores:
            self._say("stores", items=[f"{hex_}: {bp} BP" for hex_, bp in stores.items()])

    def _result(self, view: View, order: Mapping[str, Any], forecast: bool) -> None:
        """Report the result of a battle on the table."""
        content = {name: value for name, value in order.items() if name not in ("type", "battle")}
        if not forecast:
            seat = self.tag.player_id
            battles.report(self.ctx, self.actor, self.tag.campaign_id, str(order["battle"]), content, seat=seat)
        key = "would_report" if forecast else "reported"
        self._say(key, hex=str(order["battle"]), code=self._written([order], view))

    def _declare(self, final: bool | None, salt: str | None, refused: Sequence[Line]) -> None:
        seat, id_, number = self.tag.player_id, self.tag.campaign_id, self.tag.number
        if salt is not None:
            now = orders.read(self.ctx, self.actor, id_, seat=seat)
            kept = list(now.orders)
            saved = orders.replace(
                self.ctx, self.actor, id_, kept, number=number, salt=salt, seat=seat, final=now.final
            )
            self.receipt = saved.orders.receipt
            self._say("luck")
        if final and refused:
            self._say("not_final_refused")
        elif final:
            done = orders.declare_final(self.ctx, self.actor, id_, number=number, seat=seat)
            self.receipt = done.receipt
            self._say("final", turn=done.turn, phase_name=done.phase)
        elif final is not None:
            done = orders.take_back(self.ctx, self.actor, id_, number=number, seat=seat)
            self.receipt = done.receipt
            self._say("not_final", turn=done.turn, phase_name=done.phase)

    def _late(self, wanted: list[Any], keep: bool) -> None:
        id_ = self.tag.campaign_id
        past = history.past(self.ctx, self.actor, id_, self.tag.number, branch=self.tag.branch, as_=self.tag.player_id)
        if not keep or not wanted:
            self._say("late", turn=past.info.turn, phase_name=past.info.phase)
            return
        now = orders.read(self.ctx, self.actor, id_, seat=self.tag.player_id)
        if now.phase == past.info.phase:
            view = positions.position(self.ctx, self.actor, id_, as_=self.tag.player_id).view
            self.tag = Tag("seat", id_, self.tag.player_id, now.branch, now.number)
            self._store(view, wanted, (), [], None, None, False)
            return
        turn = now.turn + (now.turn == past.info.turn)
        left = orders_in_advance.leave(
            self.ctx, self.actor, id_, turn, past.info.phase, wanted, seat=self.tag.player_id
        )
        self._say("kept", turn=left.turn, phase_name=left.phase)

    def _not_read(self, read: written.ReadOrders, *, chatter: bool) -> list[Line]:
        """Return the lines to be refused; words around the orders are not orders (greetings, thanks)."""
        first, last = (min(read.lines), max(read.lines)) if read.lines else (10**6, 0)
        refused: list[Line] = []
        for problem in read.problems:
            outside = problem.unknown and not first < problem.line < last and not re.search(r"\d|->|→|:.", problem.text)
            if not (outside and chatter):
                refused.append({"line": 0, "text": problem.text, "why": problem.message})
        return refused

    def _alliances(self, given: Sequence[Verb]) -> tuple[list[Any], list[Line]]:
        orders_: list[Any] = []
        refused: list[Line] = []
        kinds = {"ally": "declare_alliance", "end_alliance": "end_alliance"}
        if not (wanted := [verb for verb in given if verb.name in kinds]):
            return orders_, refused
        info = campaigns.get(self.ctx, self.actor, self.tag.campaign_id)
        for verb in wanted:
            if (player := _player(info, verb.rest)) is None:
                refused.append({"nobody": verb.rest})
            else:
                orders_.append({"type": kinds[verb.name], "with": player})
        return orders_, refused

    # --- verbs ---

    def _report(self, verb: Verb) -> None:
        info = campaigns.get(self.ctx, self.actor, self.tag.campaign_id)
        turn = _number(verb.rest)
        found = history.phases(self.ctx, self.actor, info.id)
        done = [phase.number for phase in found if phase.resolved_at is not None and turn in (None, phase.turn)]
        if not done:
            raise PlayError("not_found", field="turn", value=verb.rest)
        self.said.append({"report": done if turn is not None else done[-1:]})

    def _show_orders(self, verb: Verb) -> None:
        id_, seat, turn = self.tag.campaign_id, self.tag.player_id, _number(verb.rest)
        if turn is None:
            now = orders.read(self.ctx, self.actor, id_, seat=seat or None)
            view = positions.position(self.ctx, self.actor, id_, as_=seat or None).view
            again = orders_in_advance.repeated_in(self.ctx, self.actor, id_, now.phase, seat=seat or None)
            self._say("orders", turn=now.turn, phase_name=now.phase, code=self._written(now.orders, view, again))
            return
        for phase in history.phases(self.ctx, self.actor, id_):
            if phase.turn == turn and phase.resolved_at is not None:
                past = history.past(self.ctx, self.actor, id_, phase.number, as_=seat or None)
                own = past.orders.get(seat, {})
                given = own.get("orders", own) if isinstance(own, Mapping) else own
                text = self._written(given if isinstance(given, list) else [], past.view)
                self._say("orders", turn=phase.turn, phase_name=phase.phase, code=text)

    def _map(self, _verb: Verb) -> None:
        self.attach_map = True
        self.said.append({"map": True})

    def _help(self, _verb: Verb) -> None:
        self._say("help")

    def _holiday(self, verb: Verb) -> None:
        day = _date(verb.rest, self.ctx.now(), self._zone())
        seats.go_away(self.ctx, self.actor, self.tag.campaign_id, day)
        self._say("holiday" if day is not None else "back", **({} if day is None else {"at": day.isoformat()}))

    def _zone(self) -> ZoneInfo:
        with self.ctx.database.read() as session:
            user = session.get(User, self.actor.user_id)
            return ZoneInfo(user.time_zone if user is not None else "UTC")

    def _message(self, verb: Verb) -> None:
        info = campaigns.get(self.ctx, self.actor, self.tag.campaign_id)
        name, _, rest = verb.rest.partition(":")
        name = re.sub(r"^(?:to|an)\s+", "", name.strip(), flags=re.IGNORECASE)
        to = _addressee(info, name)
        body = "\n".join(part for part in (rest.strip(), verb.body) if part)
        if to is None:
            raise PlayError("not_found", field="to", value=name)
        as_gm = not self.tag.player_id
        messages.send(
            self.ctx, self.actor, info.id, [to], body, as_gm=as_gm, seat=None if as_gm else self.tag.player_id
        )
        self._say("message", name=name, code=body)

    def _reply(self, text: str) -> None:
        info = campaigns.get(self.ctx, self.actor, self.tag.campaign_id)
        asked = messages.read(self.ctx, self.actor, info.id, self.tag.message_id)
        to = asked.sender or "gm"
        subject = (
            asked.subject if asked.subject.lower().startswith("re:") or not asked.subject else f"Re: {asked.subject}"
        )
        as_gm = not self.tag.player_id
        messages.send(
            self.ctx,
            self.actor,
            info.id,
            [to],
            text,
            subject=subject[:200],
            reply_to=asked.id,
            as_gm=as_gm,
            seat=None if as_gm else self.tag.player_id,
        )
        self._say("message", name=_names(info).get(to, to), code=text)

    def _battle(self, verb: Verb) -> None:
        hex_, _, why = verb.rest.partition(" ")
        found = battles.listed(self.ctx, self.actor, self.tag.campaign_id, as_=self.tag.player_id or None)
        battle = next((battle for battle in found if battle.hex == hex_), None)
        report = next((one for one in battle.reports if one.status in ("open", "disputed")), None) if battle else None
        if report is None:
            raise PlayError("not_found", field="hex", value=hex_)
        confirm = verb.name == "confirm"
        battles.answer(
            self.ctx,
            self.actor,
            self.tag.campaign_id,
            report.id,
            confirm=confirm,
            text=why.strip(" :"),
            seat=self.tag.player_id or None,
        )
        self._say("confirmed" if confirm else "disputed", hex=hex_)

    def _stop(self, _verb: Verb) -> None:
        webhooks.choose_mail(self.ctx, self.actor, "nothing")
        self._say("stopped")

    def _choose_mail(self, verb: Verb) -> None:
        chosen = verbs.mail_choice_of(verb.rest) or "phase"
        webhooks.choose_mail(self.ctx, self.actor, chosen)
        self._say(f"mail_{chosen}")

    def _ask(self, verb: Verb) -> None:
        """Ask the game master to confirm what cannot be undone."""
        info = campaigns.get(self.ctx, self.actor, self.tag.campaign_id)
        if not info.you_are_gm:
            raise PlayError("forbidden", "Only the game master may do that.")
        hours = min(_number(verb.rest) or 24, 900)
        self.confirm = (verb.name, hours)
        self._say(f"ask_{verb.name}", hours=hours)

    def _yes(self, _verb: Verb) -> None:
        id_ = self.tag.campaign_id
        if self.tag.purpose == "advance":
            game_master.advance(self.ctx, self.actor, id_, number=self.tag.number)
            self._say("advanced")
        elif self.tag.purpose == "extend":
            info = campaigns.get(self.ctx, self.actor, id_)
            if info.phase_number != self.tag.number:
                raise PlayError("wrong_phase", field="number", value=self.tag.number)
            due = max(info.deadline or self.ctx.now(), self.ctx.now()) + timedelta(hours=self.tag.hours)
            game_master.set_due(self.ctx, self.actor, id_, due)
            self._say("extended", at=due.isoformat())
        else:
            self._say("nothing_to_confirm")

    def _join(self, verb: Verb) -> None:
        info = seats.join(self.ctx, self.actor, self.tag.campaign_id, faction=_faction(self, verb.rest))
        self._say("joined", campaign=info.name)

    # --- inside ---

    def _say(self, key: str, **filled: Any) -> None:
        self.said.append({"key": key, **filled})

    def _refused(self, refused: Sequence[Line]) -> None:
        self.said += [{"key": "refused", "items": list(refused)}, {"key": "correct"}]

    def _written(self, given: Sequence[Any], view: View, repeated: Sequence[Any] = ()) -> str:
        return written.write(given, view, self._players(), repeated)

    def _players(self) -> Mapping[str, str]:
        if not self.names:
            self.names = _names(campaigns.get(self.ctx, self.actor, self.tag.campaign_id))
        return self.names

    def _try(self, act: Callable[..., None], *given: Any) -> None:
        try:
            act(*given)
        except PlayError as error:
            self._say("error", why=error.message, code_=error.code)


_ACTS: Mapping[str, Callable[[MailCommandHandler, Verb], None]] = {
    "report": MailCommandHandler._report,
    "orders": MailCommandHandler._show_orders,
    "map": MailCommandHandler._map,
    "help": MailCommandHandler._help,
    "holiday": MailCommandHandler._holiday,
    "message": MailCommandHandler._message,
    "confirm": MailCommandHandler._battle,
    "dispute": MailCommandHandler._battle,
    "stop": MailCommandHandler._stop,
    "mail": MailCommandHandler._choose_mail,
    "advance": MailCommandHandler._ask,
    "extend": MailCommandHandler._ask,
    "yes": MailCommandHandler._yes,
    "join": MailCommandHandler._join,
}


def _like_an_order(problem: written.NotRead) -> bool:
    """Return whether a line was meant as an order; names and thanks are not."""
    return not problem.unknown or bool(problem.near and " " in problem.text.strip())


def _is_result(order: object) -> bool:
    return isinstance(order, Mapping) and order.get("type") == "report" and "battle" in order


def _names(info: CampaignInfo) -> dict[str, str]:
    return {seat.player_id: seat.name or seat.player_id for seat in info.seats}


def _player(info: CampaignInfo, name: str) -> str | None:
    wanted = name.strip(" .\"'“”„").casefold()
    for seat in info.seats:
        if wanted and wanted in (seat.player_id, seat.name.casefold(), (seat.faction or "").casefold()):
            return seat.player_id
    close = [seat.player_id for seat in info.seats if wanted and seat.name.casefold().startswith(wanted)]
    return close[0] if len(close) == 1 else None


def _addressee(info: CampaignInfo, name: str) -> str | None:
    wanted = name.strip(" .\"'“”„").casefold()
    if wanted in ("all", "alle"):
        return "all"
    if wanted in ("gm", "game master", "spielleitung", "sl"):
        return "gm"
    return _player(info, name)


def _faction(acting: MailCommandHandler, name: str) -> str:
    factions = campaign_info.load(acting.ctx, acting.actor, acting.tag.campaign_id).ruleset.factions
    wanted = name.strip(" .\"'“”„").casefold()
    german = translations.Translations("de").called
    for id_, faction in factions.items():
        if wanted in (id_.casefold(), faction.name.casefold(), german(faction.name).casefold()):
            return id_
    return name.strip() or "?"


def _number(text: str) -> int | None:
    found = re.search(r"\d{1,3}", text)
    return int(found[0]) if found else None


def _date(text: str, now: datetime, zone: ZoneInfo) -> datetime | None:
    """Read the end of a day: ``2026-05-09``, ``9.5.``, ``9.5.2026``, ``9 May``; None for "back" or an empty text."""
    text = re.sub(r"^(?:until|till|bis(?: zum)?)\s+", "", text.strip(), flags=re.IGNORECASE)
    if not text or text.casefold() in ("over", "end", "back", "vorbei", "ende"):
        return None
    here = now.astimezone(zone)
    year, month, day = here.year, 0, 0
    if iso := re.fullmatch(r"(\d{4})-(\d{1,2})-(\d{1,2})", text):
        year, month, day = (int(part) for part in iso.groups())
    elif dotted := re.fullmatch(r"(\d{1,2})\.\s*(\d{1,2})\.?\s*(\d{4})?", text):
        day, month = int(dotted[1]), int(dotted[2])
        year = int(dotted[3] or here.year)
    elif named := re.fullmatch(r"(\d{1,2})\.?\s+([^\W\d]{3,10})\.?\s*(\d{4})?", text):
        day, month = int(named[1]), _MONTHS.get(named[2][:3].casefold(), 0)
        year = int(named[3] or here.year)
    try:
        last = datetime.combine(datetime(year, month, day).date(), time(23, 59), zone)
        if last < now and str(year) not in text:
            last = last.replace(year=year + 1)
        return last.astimezone(UTC)
    except ValueError:
        raise PlayError("invalid", "A day, like 2026-05-09 or 9.5.", field="until", value=text) from None


_MONTHS = {
    name: number % 12 + 1
    for number, name in enumerate(["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"])
} | {"mär": 3, "mai": 5, "okt": 10, "dez": 12}
