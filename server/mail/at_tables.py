"""What emails say of the table games of a phase: whose action each of them waits for, in the words of the phones."""

from __future__ import annotations

from collections.abc import Iterator

from server.mail.letters import Part
from server.mail.reader import Reader
from server.mail.translations import Translations
from server.play.battles import battles
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.tables import reading, setting_up
from server.render.table.story import awaited_line
from server.render.translations import Translations as Story


def at_tables(reader: Reader) -> tuple[Part, ...]:
    """Return a line for each table game that the reader knows of and that is not closed; nothing if there is none."""
    as_ = reader.seat.player_id if reader.seat is not None else None
    lines = () if reader.short else tuple(_lines(reader.ctx, reader.actor, reader.t, reader.campaign.id, as_))
    return (Part(reader.t("at_tables.title"), lines),) if lines else ()


def _lines(ctx: AppContext, actor: Actor, t: Translations, campaign_id: str, as_: str | None) -> Iterator[str]:
    for battle in battles.listed(ctx, actor, campaign_id, as_=as_):
        if battle.table is None:
            continue
        try:
            game = setting_up.get(ctx, actor, battle.table)
            awaited = reading.awaited(ctx, actor, battle.table) if game.status == "playing" else None
        except PlayError:  # deleted meanwhile
            continue
        if awaited is not None:
            names = {seat.side: seat.name for seat in game.seats}
            reader = game.sides[0] if len(game.sides) == 1 else ""
            yield f"{battle.hex}: {awaited_line(awaited, Story(t.language), names, reader) or t('at_tables.playing')}"
        elif game.status in ("open", "over"):
            yield f"{battle.hex}: {t(f'at_tables.{game.status}')}"
