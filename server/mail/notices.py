"""The text of each kind of notification for one reader, only from facts the reader can see at that moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime

from server.mail import briefing
from server.mail.answering import written
from server.mail.at_tables import at_tables
from server.mail.briefing import Briefing, map_picture
from server.mail.letters import Part
from server.mail.reader import NoticeMail, Reader
from server.mail.report import Report
from server.mail.translations import Translations
from server.play.battles import battles
from server.play.campaigns import campaign_info
from server.play.errors import PlayError
from server.play.messages import messages
from server.play.notices.posting import PermanentFailure
from server.play.orders import orders
from server.play.resolution.phase_opening import only_repeated
from server.play.rhythm import Rhythm
from server.play.tables import battle_agreements, setting_up
from server.play.views import history, positions
from server.render import translations as names


def phase_opened(reader: Reader) -> NoticeMail:
    """The next phase: until when, what happened before it, how all stand."""
    reader.must_be_open()
    t, filled, seat = reader.t, reader.phase(), reader.seat
    way = "" if reader.campaign.deadline else "_endless"
    parts = [Part(t(f"phase_opened.text{way}", **filled))]
    if seat is not None:
        own = orders.read(reader.ctx, reader.actor, reader.campaign.id, seat=seat.player_id)
        if own.final:
            raise PermanentFailure("the orders are in")
        if reader.short:
            return NoticeMail(
                t(f"phase_opened.subject{way}", **filled), (), (t("action.orders"), f"{reader.url}/table")
            )
        if own.source in ("advance", "repeated"):
            parts.append(Part(t(f"phase_opened.{own.source}")))
        parts += briefing.left_out(reader.ctx, reader.actor, reader.campaign, brief(reader, seat.player_id))
        parts += _report(reader, seat.player_id)
        picture = map_picture(reader.ctx, brief(reader, seat.player_id).view)
    else:
        picture = b""
    action = (t("action.orders"), f"{reader.url}/table")
    return NoticeMail(t(f"phase_opened.subject{way}", **filled), tuple(parts), action, picture=picture)


def _report(reader: Reader, player: str) -> list[Part]:
    """Return what happened in the phase before the open one, how all stand, and everything needed to order."""
    t, number = reader.t, reader.campaign.phase_number - 1
    parts: list[Part] = []
    if number > 0:
        past = history.past(reader.ctx, reader.actor, reader.campaign.id, number, as_=player)
        told = Report(past, player, reader.names, t).sentences()
        before = t("phase_opened.before", phase=t.name("phase", past.info.phase))
        parts += [Part(before, told), *reader.standing()]
    return parts + _briefing(reader, player, number)


def brief(reader: Reader, player: str) -> Briefing:
    """Return the open phase's position as a player knows it."""
    view = positions.position(reader.ctx, reader.actor, reader.campaign.id, as_=player).view
    return Briefing(view, player, reader.names, reader.t)


def _briefing(reader: Reader, player: str, number: int) -> list[Part]:
    """The reader's view, forces and possible orders: everything needed to reply without the page."""
    known = brief(reader, player)
    past = before = None
    if number > 0:
        past = history.past(reader.ctx, reader.actor, reader.campaign.id, number, as_=player)
        if number > 1:
            before = history.past(reader.ctx, reader.actor, reader.campaign.id, number - 1, as_=player).view
    parts: list[Part] = []
    if past is not None:
        fought = known.summary(past.events)
        failed = tuple(reader.told(str(problem.get("message", ""))) for problem in past.problems.get(player, ()))
        parts += [Part(reader.t("brief.fought"), fought)] if fought else []
        parts += [Part(reader.t("brief.failed"), failed)] if failed else []
        parts += known.sighted(before)
    own = orders.read(reader.ctx, reader.actor, reader.campaign.id, seat=player)
    parts += [*known.forces(), Part(reader.t("brief.picture"), picture=True), *known.map_text()]
    if reader.ctx.settings.mail_orders:
        again = briefing.repeated(reader.ctx, reader.actor, reader.campaign, player)
        given = written.write(own.orders, known.view, reader.names, again)
        parts += [known.template(given), *known.examples(), Part(reader.t("brief.how"))]
    return parts


def deadline_near(reader: Reader) -> NoticeMail:
    """A deadline, to a player without orders."""
    reader.must_be_open()
    seat, t = reader.seat, reader.t
    if seat is None or reader.campaign.deadline is None:
        raise PermanentFailure("there is no deadline any more")
    own = orders.read(reader.ctx, reader.actor, reader.campaign.id, seat=seat.player_id)
    if own.revision > 0 and not only_repeated(own):
        raise PermanentFailure("the orders are in")
    filled = reader.phase()
    stand_in = seat.stand_in or reader.campaign.options.stand_in
    action = (t("action.orders"), f"{reader.url}/table")
    if reader.short:
        return NoticeMail(t("deadline_near.subject", **filled), (), action)
    parts = [Part(t("deadline_near.text", **filled)), Part(t(f"deadline_near.{stand_in}")), *at_tables(reader)]
    parts += _report(reader, seat.player_id)
    picture = map_picture(reader.ctx, brief(reader, seat.player_id).view)
    return NoticeMail(t("deadline_near.subject", **filled), tuple(parts), action, picture=picture)


def deadline_changed(reader: Reader) -> NoticeMail:
    """Another deadline."""
    filled = reader.phase()
    endless = "" if reader.campaign.deadline else "_endless"
    way = endless or ("_away" if reader.data.get("downtime") else "_table" if reader.data.get("tabletop") else "")
    text = Part(reader.t(f"deadline_changed.text{way}", **filled))
    action = (reader.t("action.orders"), f"{reader.url}/table")
    parts = (text, *reader.why(), *at_tables(reader))
    return NoticeMail(reader.t(f"deadline_changed.subject{endless}", **filled), parts, action)


def campaign_started(reader: Reader) -> NoticeMail:
    """The beginning."""
    dice = Part(reader.t("campaign_started.dice", link0=reader.campaign.link0))
    return reader.said("campaign_started", None, dice, seat=reader.seat_name)


def finished(reader: Reader) -> NoticeMail:
    """The end: who has won, and what is open now."""
    t, won = reader.t, [str(winner) for winner in reader.data.get("winners", ())]
    own = reader.seat is not None and reader.seat.player_id in won
    result = "won" if own else "lost" if won else "nobody"
    winners = ", ".join(reader.name(winner) for winner in won)
    parts = [Part(t(f"finished.{result}", campaign=reader.campaign.name, winners=winners)), *reader.why()]
    if reader.campaign.started_at is not None:
        parts += [*reader.standing(), Part(t("finished.open"))]
    return NoticeMail(t("finished.subject"), tuple(parts), (t("action.history"), reader.url))


def message(reader: Reader) -> NoticeMail:
    """A whole message; its reader is allowed to read it."""
    t, found = (
        reader.t,
        messages.read(reader.ctx, reader.actor, reader.campaign.id, str(reader.data["message"])),
    )
    kind = "announcement" if found.announcement else "message"
    sender = reader.name(found.sender)
    subject = t(f"{kind}.subject{'' if found.subject else '_plain'}", sender=sender, subject=found.subject)
    to = ", ".join(_addressee(reader, addressee) for addressee in found.to)
    parts: tuple[Part, ...] = (Part(t(f"{kind}.text", sender=sender, to=to)), Part(found.body, quoted=True))
    if reader.ctx.settings.mail_orders:
        parts += (Part(t("message.reply", sender=sender)),)
    answers = ""
    if found.reply_to is not None:
        answers = f"message/{found.reply_to}/{reader.seat.player_id if reader.seat is not None else 'gm'}"
    return NoticeMail(subject, parts, (t("action.read"), f"{reader.url}/people"), answers)


def _addressee(reader: Reader, to: str) -> str:
    if reader.seat is not None and to == reader.seat.player_id:
        return reader.t("message.you")
    return reader.t("message.all") if to == messages.ALL else reader.name(None if to == "gm" else to)


def declaration(reader: Reader) -> NoticeMail:
    """Diplomacy."""
    wanted = reader.data["declaration"]
    made = messages.declarations(reader.ctx, reader.actor, reader.campaign.id)
    if (found := next((declaration for declaration in made if declaration.id == wanted), None)) is None:
        raise PermanentFailure("the declaration is gone")
    by = reader.name(found.player_id)
    to = _addressee(reader, found.toward or messages.ALL)
    quoted = (Part(found.body, quoted=True),) if found.body else ()
    kind = reader.t.name("declaration.kind", found.kind)
    return reader.said("declaration", {"by": by}, *quoted, by=by, to=to, kind=kind)


def invited(reader: Reader) -> NoticeMail:
    """An invitation."""
    quoted = (Part(reader.campaign.description, quoted=True),) if reader.campaign.description else ()
    info = reader.campaign
    free = sum(seat.free for seat in info.seats)
    told = [*quoted, terms(reader.t, info.scenario_title, info.options.deadlines, free, len(info.seats))]
    if reader.ctx.settings.mail_orders:
        factions = campaign_info.load(reader.ctx, reader.actor, reader.campaign.id).ruleset.factions.values()
        called = names.Translations(reader.t.language).called
        choice = tuple(called(faction) for faction in sorted(faction.name for faction in factions))
        told.append(Part(reader.t("invited.reply", faction=choice[0]), choice))
    written = reader.said("invited", None, *told, game_master=reader.campaign.gm or reader.name(None))
    return NoticeMail(written.subject, written.parts, (reader.t("action.join"), reader.url))


def terms(t: Translations, scenario: str, deadlines: Rhythm, free: int, seats: int) -> Part:
    """Return what someone who is invited decides by: the map, the pace, how many seats are free."""
    days = ", ".join(t(f"time.weekday.{day}") for day in deadlines.days)
    times = ", ".join(deadlines.times)
    pace = t(f"invited.pace.{deadlines.kind}", n=deadlines.hours, days=days, times=times, zone=deadlines.time_zone)
    return Part(t("invited.terms", map=scenario, pace=pace, free=free, seats=seats))


def rolled_back(reader: Reader) -> NoticeMail:
    """Another branch."""
    return reader.said("rolled_back", None, **reader.phase())


def seat_changed(reader: Reader) -> NoticeMail:
    """A new player or stand-in: to the others, to the player before and the new one, to a substitute."""
    t, seat = reader.t, str(reader.data["seat"])
    here = seat in reader.campaign.your_seats
    way = str(reader.data.get("you") or ("own" if here else "others"))
    if way != "others" and here == (way == "left"):
        raise PermanentFailure("the seat has changed hands again")
    told = reader.said(f"seat_changed.{way}", None, seat=reader.seat_name if way == "plays" else reader.name(seat))
    if way == "left":
        return replace(told, action=(t("action.mine"), reader.ctx.settings.public_url.rstrip("/") + "/"))
    if way != "plays" or reader.short or reader.campaign.status != "running":
        return told
    endless = "" if reader.campaign.deadline else "_endless"
    due = Part(t(f"phase_opened.text{endless}", **reader.phase()))
    parts = (*told.parts, due, *_report(reader, seat))
    picture = map_picture(reader.ctx, brief(reader, seat).view)
    return replace(told, parts=parts, action=(t("action.orders"), f"{reader.url}/table"), picture=picture)


def new_readings(reader: Reader) -> NoticeMail:
    """Another version of the rules versions from the next turn on, or none after all."""
    version = int(reader.data["version"])
    return reader.said("new_readings" if version else "readings_stay", None, version=version)


def missed_deadline(reader: Reader) -> NoticeMail:
    """For the GM: who missed a deadline."""
    return reader.said("missed_deadline", None, seat=reader.name(str(reader.data["player"])), n=reader.data["missed"])


def gm_offered(reader: Reader) -> NoticeMail:
    """A campaign to be run."""
    if reader.campaign.offer is None:
        raise PermanentFailure("the offer is gone")
    written = reader.said("gm_offered", None, game_master=reader.campaign.gm or reader.name(None))
    return NoticeMail(written.subject, written.parts, (reader.t("action.offer"), f"{reader.url}/offer"))


def gm_declined(reader: Reader) -> NoticeMail:
    """For the GM: who does not want their campaign."""
    return reader.said("gm_declined", None, name=reader.data["name"])


def gm_changed(reader: Reader) -> NoticeMail:
    """Another GM."""
    names = ", ".join(reader.campaign.game_masters) or reader.name(None)
    return reader.said("gm_changed", None, game_master=names)


def mail_bounced(reader: Reader) -> NoticeMail:
    """For the GM: a player's emails bounce, so no more are sent."""
    return reader.said("mail_bounced", None, name=reader.data["name"])


def orders_entered(reader: Reader) -> NoticeMail:
    """Orders that the game master entered for the player: what they are, and the receipt."""
    t, seat, number = reader.t, reader.seat, int(reader.data["number"])
    if seat is None:
        raise PermanentFailure("the seat is somebody else's")
    if reader.campaign.phase_number == number:
        own = orders.read(reader.ctx, reader.actor, reader.campaign.id, seat=seat.player_id)
        given, view, phase = own.orders, brief(reader, seat.player_id).view, own.phase
    else:
        past = history.past(reader.ctx, reader.actor, reader.campaign.id, number, as_=seat.player_id)
        given, view, phase = tuple(past.orders.get(seat.player_id, ())), past.view, past.info.phase
    filled = {"campaign": reader.campaign.name, "phase": t.name("phase", phase)}
    listed = written.write(given, view, reader.names) or t("orders_entered.none")
    parts = (
        Part(t("orders_entered.text", **filled), code=listed),
        Part(t("orders_entered.change")),
        Part(t("answer.receipt"), code=str(reader.data["receipt"])),
    )
    action = (t("action.orders"), f"{reader.url}/table")
    return NoticeMail(t("orders_entered.subject", **filled), parts, action)


def battle(kind: str) -> Callable[[Reader], NoticeMail]:
    """Return the notification of a tabletop result."""

    def write(reader: Reader) -> NoticeMail:
        status = reader.t.name("status", str(reader.data["status"]))
        return reader.said(kind, None, *_result(reader, kind), hex=reader.data["hex"], status=status)

    return write


def _result(reader: Reader, kind: str) -> list[Part]:
    """Return the result in words, and how one answers it by mail; nothing where it is not known any more."""
    t, hex_ = reader.t, str(reader.data["hex"])
    as_ = reader.seat.player_id if reader.seat is not None else None
    listed = battles.listed(reader.ctx, reader.actor, reader.campaign.id, as_=as_)
    battle = next((battle for battle in listed if battle.hex == hex_), None)
    report = (
        next((one for one in reversed(battle.reports) if one.status == reader.data["status"]), None) if battle else None
    )
    if battle is None or report is None:
        return []
    view = positions.position(reader.ctx, reader.actor, reader.campaign.id, as_=as_).view
    code = written.write([{"type": "report", "battle": hex_} | report.content], view, reader.names)
    parts = [Part(t("battle_reported.by", by=reader.name(report.reported_by)), code=code)]
    parts += [Part(text, quoted=True) for text in (report.note, report.answer) if text]
    asked = report.status == "open" and battle.yours and report.reported_by != as_
    if asked and kind == "battle_reported" and reader.ctx.settings.mail_orders:
        parts.append(Part(t("battle_reported.answer", hex=hex_)))
    return parts


def table_opened(reader: Reader) -> NoticeMail:
    """Tell that a battle has its table."""
    return reader.said("table_opened", None, hex=reader.data["hex"])


def table_agreement(reader: Reader) -> NoticeMail:
    """Tell what was proposed or agreed; an agreed date comes with a file for calendar programs."""
    t, data = reader.t, reader.data
    try:
        game = setting_up.get(reader.ctx, reader.actor, str(data["table"]))
    except PlayError as error:
        raise PermanentFailure("there is no such table any more") from error
    proposals = game.battle.proposals if game.battle is not None else ()
    found = next((proposal for proposal in proposals if proposal.number == data["number"]), None)
    if found is None or found.status != data["status"]:
        raise PermanentFailure("the proposal was answered meanwhile")
    news = t.name("table_news", f"{found.about}_{found.status}")
    more = []
    if found.at is not None:
        more.append(Part(t("table_agreement.date", when=t.when(found.at))))
    if found.place:
        more.append(Part(t("table_agreement.place", place=found.place)))
    written = reader.said("table_agreement", None, *more, hex=data["hex"], news=news)
    if found.about != battle_agreements.DATE or found.status != "agreed":
        return written
    meeting = battle_agreements.of_game(reader.ctx, reader.actor, game.id)
    parts = (*written.parts, Part(t("table_agreement.attached")))
    return replace(written, parts=parts, calendar=battle_agreements.to_ics(reader.ctx, meeting))


def table_waits(reader: Reader) -> NoticeMail:
    """Tell the game master that the phase waits for a battle on the table."""
    reader.must_be_open()
    when = reader.t.when(datetime.fromisoformat(str(reader.data["deadline"])))
    return reader.said("table_waits", None, *at_tables(reader), when=when)


def vote_opened(reader: Reader) -> NoticeMail:
    """A vote on the end of the campaign."""
    until = datetime.fromisoformat(str(reader.data["until"]))
    return reader.said("vote_opened", None, name=reader.name(str(reader.data["player"])), when=reader.t.when(until))


def plain(kind: str) -> Callable[[Reader], NoticeMail]:
    """Return what tells what needs no more than its sentence."""
    return lambda reader: reader.said(kind)


NOTICES: Mapping[str, Callable[[Reader], NoticeMail]] = {
    "phase_opened": phase_opened,
    "deadline_near": deadline_near,
    "deadline_changed": deadline_changed,
    "campaign_started": campaign_started,
    "finished": finished,
    "message": message,
    "announcement": message,
    "declaration": declaration,
    "invited": invited,
    "rolled_back": rolled_back,
    "seat_changed": seat_changed,
    "new_readings": new_readings,
    "missed_deadline": missed_deadline,
    "gm_offered": gm_offered,
    "gm_declined": gm_declined,
    "gm_changed": gm_changed,
    "battle_reported": battle("battle_reported"),
    "battle_settled": battle("battle_settled"),
    "paused": plain("paused"),
    "resumed": plain("resumed"),
    "intervention": plain("intervention"),
    "mail_bounced": mail_bounced,
    "table_opened": table_opened,
    "table_agreement": table_agreement,
    "table_waits": table_waits,
    "orders_entered": orders_entered,
    "vote_opened": vote_opened,
    "vote_closed": plain("vote_closed"),
    "start_failed": plain("start_failed"),
}
"""By kind, all there are (:data:`server.play.notices.notices.KINDS`)."""
