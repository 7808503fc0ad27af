"""``sealed-orders verify`` and ``replay``: a campaign's record, done once more and compared; told, or as a picture."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from server.bots.letters import act_sentence
from server.bots.posture import Evaluation
from server.commands.printing import file_size, headline, moment
from server.commands.terminal import AsJson, Code, console, fail, print_json, progress, save, tell
from server.play import context
from server.play.archive.receipt_checks import ReceiptReport, compare
from server.play.archive.record_files import FORMAT, TABLE_FORMAT, Json, read_file
from server.play.archive.replay import Replay, ReplayPhase, replay
from server.play.archive.table_record import verify as verify_table
from server.play.archive.verification import Difference, VerifyReport, verify_record
from server.play.dice.receipts import found_in, public_key
from server.play.errors import PlayError
from server.render.page import Frame, frame, page
from server.rules.sight import GM
from server.rules.state import OVER

app = typer.Typer(rich_markup_mode="markdown")

RecordFile = Annotated[
    Path,
    typer.Argument(metavar="FILE", help="A campaign's record: from `campaign export`, or its page when it is over."),
]


@app.command()
def verify(
    file: RecordFile,
    link0: Annotated[
        str, typer.Option(metavar="HEX", help="Link 0 of the dice as it was published when the campaign began.")
    ] = "",
    receipts: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Receipts to compare with the record: a text with one or many, a mail too."),
    ] = None,
    key: Annotated[
        str, typer.Option(metavar="X", help="The server's public key, `x` at /api/v1/keys: checks the signatures.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Verify a campaign or a table game offline: resolve every phase and roll again, and compare.

    Needs no server. Exits 1 when something differs and names the first phase that does, 2 when the file is not a
    record. Of a table game every act is done once more.

    Examples: `sealed-orders verify long-march.sealed` · `sealed-orders verify long-march.sealed --link0 9f86d081...` ·
    `sealed-orders verify long-march.sealed --receipts mine.txt --key 11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo`
    """
    record = read_file(file, FORMAT, TABLE_FORMAT)
    if record["format"] == TABLE_FORMAT:
        raise typer.Exit(_verify_table(record, as_json))
    given = None if receipts is None else _receipts(receipts)
    signed_by = public_key(key) if key else None
    with progress("Phases") as advance:
        report = verify_record(record, advance, now=context.utc_now())
    published = str(record["campaign"].get("link0"))
    other_dice = bool(link0) and link0.strip().lower() != published
    compared = None if given is None else compare(record, given, signed_by)
    if as_json:
        told = {"link0": published, "link0_as_published": not other_dice if link0 else None}
        print_json({**_as_json(report, record), **told, "receipts": None if compared is None else asdict(compared)})
    elif report.ok:
        _praise(report, record, published)
    if report.first is not None and not as_json:
        typer.echo(f"{report.name}: {_place(report.first, record)}: {report.first.message}")
        typer.echo(f"{report.checked} of {report.total} records before it are as they should be.")
    if other_dice and not as_json:
        typer.echo(f"The dice do not match the published link 0, {published}.")
    if compared is not None and not as_json:
        _say_receipts(compared, checked=signed_by is not None)
    if report.other_versions:
        typer.echo(
            f"Phases were resolved by other versions of the rules: {', '.join(report.other_versions)}.", err=True
        )
    right = report.ok and not other_dice and (compared is None or compared.ok)
    raise typer.Exit(Code.DONE if right else Code.REFUSED)


def _receipts(file: Path) -> list[str]:
    try:
        found = found_in(file.read_text(encoding="utf-8", errors="replace"))
    except OSError as error:
        raise PlayError("bad_record", f"{file}: {error.strerror}") from None
    if not found:
        raise PlayError("bad_record", f"{file}: there is no receipt in it.")
    return found


def _say_receipts(report: ReceiptReport, *, checked: bool) -> None:
    for problem in report.problems:
        typer.echo(problem)
    signed = f", {'' if checked else 'as they say '}signed by {', '.join(report.keys)}" if report.keys else ""
    typer.echo(f"Receipts that agree with the record: {report.checked}{signed}.")
    if report.replaced:
        typer.echo(f"Receipts of earlier versions for orders that were replaced since (not proven): {report.replaced}.")
    if report.others:
        typer.echo(f"Receipts of other campaigns, or of phases that were not resolved: {report.others}.")
    if not checked:
        typer.echo("To check the signatures, give the server's public key with --key.")


def _verify_table(record: Json, as_json: bool) -> Code:
    """Check the record of a table game and print the result."""
    report = verify_table(record)
    first = report.first
    if as_json:
        print_json(
            {
                "ok": report.ok,
                "table": report.game,
                "name": report.name,
                "checked": report.checked,
                "total": report.total,
                "rolls": report.rolls,
                "first_difference": first and {"act": first.act, "what": first.what, "message": first.message},
            }
        )
    elif first is None:
        typer.echo(f"{report.name}: verified, no differences.")
        typer.echo(f"  {report.checked} acts: the same states, the same hashes")
        typer.echo(f"  {report.rolls} rolls follow from the secret and both salts")
    else:
        place = "the game" if first.act is None else f"act {first.act}"
        typer.echo(f"{report.name}: {place} differs: {first.message}")
        typer.echo(f"{report.checked} of {report.total} acts before it are as they should be.")
    return Code.DONE if report.ok else Code.REFUSED


def _as_json(report: VerifyReport, record: Json) -> dict[str, Any]:
    first = report.first
    where = _row(first, record) if first else {}
    differs = first and {
        "branch": first.branch,
        "number": first.number,
        "turn": where.get("turn"),
        "phase": where.get("phase"),
        "what": first.what,
        "message": first.message,
    }
    return {
        "ok": report.ok, "campaign": report.campaign_id, "name": report.name, "checked": report.checked,
        "total": report.total, "rolls": _rolls(record), "first_difference": differs,
        "other_versions": report.other_versions, "scheme": report.scheme, "not_covered": report.not_covered,
    }  # fmt: skip


def _praise(report: VerifyReport, record: Json, link0: str) -> None:
    terminal = console()
    branches = len(record["branches"])
    lines = f" on {branches} lines of play" if branches > 1 else ""
    terminal.print(f"[bold]{escape(report.name)}[/]: verified, no differences.")
    terminal.print(f"  {report.checked} phases and edits{lines}: the same events, the same states, the same hashes")
    terminal.print(f"  {_rolls(record)} rolls follow from the dice chain, by scheme {report.scheme}")
    terminal.print("  link 0 of the dice, published when the campaign began:")
    terminal.print(f"  {link0}", soft_wrap=True)
    terminal.print(f"  Not covered by proof: {'; '.join(report.not_covered)}.", soft_wrap=True)


def _rolls(record: Json) -> int:
    return sum(event.get("type") == "dice" for event in record["events"])


def _row(first: Difference, record: Json) -> Json:
    at = (first.branch, first.number)
    return next((phase for phase in record["phases"] if (phase.get("branch"), phase.get("number")) == at), {})


def _place(first: Difference, record: Json) -> str:
    row = _row(first, record)
    name = f" ({moment(row['turn'], str(row['phase']))})" if {"turn", "phase"} <= {*row} else ""
    line = f" on line of play {first.branch}" if first.branch > 1 else ""
    return f"phase {first.number}{name}{line} differs"


START = 0
"""Number of the phase before Setup: there is nothing to be seen yet."""


@app.command("replay")
def _replay(
    file: RecordFile,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a moving picture (.gif, .webp) or one page (.html).")
    ] = None,
    seat: Annotated[
        str,
        typer.Option(help="Seat to look through: an id like p2, a name, or spectator. Default: everything."),
    ] = "",
    size: Annotated[int, typer.Option(min=240, max=3000, help="Width of the moving picture in pixels.")] = 960,
    pace: Annotated[float, typer.Option(min=0.05, max=60.0, help="Seconds per phase.")] = 1.0,
    as_json: AsJson = False,
) -> None:
    """Replay a campaign phase by phase: in the terminal, as an animation, or as a web page with a slider.

    Exits 1 when there is no such seat, 2 when the file is not a record or the picture cannot be written.

    Examples: `sealed-orders replay long-march.sealed` ·
    `sealed-orders replay long-march.sealed --picture march.gif --pace 0.6` ·
    `sealed-orders replay long-march.sealed --picture march.html --seat p2`
    """
    kinds = (".gif", ".webp", ".html")
    if picture is not None and picture.suffix.lower() not in kinds:
        fail(f"{picture}: a campaign can be {', '.join(kinds)}", Code.UNUSABLE)
    watched = replay(read_file(file), seat)
    if picture is None:
        _print_replay(watched, as_json)
        return
    scenes: list[ReplayPhase] = []
    frames: list[Frame] = []
    with progress("Phases") as advance:
        for scene in watched.scenes():
            advance(len(scenes) + 1, len(watched))
            if scene.number != START:
                frames.append(_framed(watched, scene))
            scenes.append(scene)
    ground, frames = scenes[-1].view, frames or [frame(scenes[-1].view, watched.names, _heading(scenes[-1]))]
    title = watched.name if watched.viewer == GM else f"{watched.name}, as {_eyes(watched)} saw it"
    if picture.suffix.lower() == ".html":
        data = page(title, ground, frames).encode()
    else:
        from server.render.moving import KINDS, Moving, write  # Pillow: only where wanted

        buffer = io.BytesIO()
        with progress("Pictures") as advance:
            write(buffer, KINDS[picture.suffix.lower()], title, ground, frames, Moving(size, pace), advance)
        data = buffer.getvalue()
    save(picture, data)
    tell(
        as_json,
        {"written": str(picture), "bytes": len(data), "phases": len(frames), "viewer": watched.viewer},
        f"{title}: {len(frames)} phases, {file_size(len(data))}: {picture}",
    )


def _print_replay(watched: Replay, as_json: bool) -> None:
    told = [(scene, _framed(watched, scene)) for scene in watched.scenes()]
    if as_json:
        print_json({"name": watched.name, "viewer": watched.viewer, "phases": [*_phases(told)]})
        return
    terminal = console()
    terminal.print(f"[bold]{escape(watched.name)}[/]")
    for scene, line in told:
        if not line.story:
            continue
        terminal.print(f"\n[bold]{headline(scene.turn, scene.phase)}[/]")
        for sentence in line.story:
            terminal.print(f"  {escape(sentence)}", soft_wrap=True)
    terminal.print("\n[bold]Score[/]")
    for name, vp, hexes in told[-1][1].score:
        terminal.print(f"  {escape(name)}: {vp} VP, {hexes} hexes")


def _phases(told: list[tuple[ReplayPhase, Frame]]) -> Iterator[dict[str, object]]:
    for scene, line in told:
        score = [{"name": name, "vp": vp, "hexes": hexes} for name, vp, hexes in line.score]
        postures = [_felt(seat, felt) for seat, felt in scene.felt]
        yield {
            "number": scene.number,
            "turn": scene.turn,
            "phase": scene.phase,
            "story": line.story,
            "score": score,
            "postures": postures,
        }


def _felt(seat: str, felt: Evaluation) -> dict[str, object]:
    acts = [asdict(act) for act in felt.acts]
    return {"seat": seat, "posture": felt.posture, "score": felt.score, "diplomacy": acts}


def _framed(watched: Replay, scene: ReplayPhase) -> Frame:
    """Return a scene told, at the end of a turn with how the computer players felt."""
    made = frame(scene.view, watched.names, _heading(scene))
    if not scene.felt:
        return made
    felt = [f"{watched.names.get(seat, seat)}: {feeling.posture} ({feeling.score:+d})" for seat, feeling in scene.felt]
    acts = [act_sentence(act, seat, watched.names) for seat, feeling in scene.felt for act in feeling.acts]
    return replace(made, story=(*made.story, *acts, f"How the computer players felt: {', '.join(felt)}."))


def _heading(scene: ReplayPhase) -> str:
    end = ": the end" if scene.view.state.phase == OVER else ""
    return f"After {moment(scene.turn, scene.phase)}{end}"


def _eyes(watched: Replay) -> str:
    return watched.names.get(watched.viewer, f"a {watched.viewer}")
