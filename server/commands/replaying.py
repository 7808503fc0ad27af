"""``sealed-orders replay``: a campaign watched again, told, as a moving picture or as a page."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from server.bots.letters import act_sentence
from server.bots.posture import Evaluation
from server.commands.printing import file_size, headline, moment
from server.commands.terminal import AsJson, Code, console, fail, print_json, progress, save
from server.commands.verifying import RecordFile
from server.play.archive.record_files import read_file
from server.play.archive.replay import Replay, ReplayPhase, replay
from server.render.page import Frame, frame, page
from server.rules.sight import GM
from server.rules.state import OVER

START = 0
"""Number of the phase before Setup: there is nothing to be seen yet."""


def mount(main: typer.Typer) -> None:
    """Add the command."""
    main.command(name="replay")(_replay)


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
    if as_json:
        print_json({"written": str(picture), "bytes": len(data), "phases": len(frames), "viewer": watched.viewer})
    else:
        typer.echo(f"{title}: {len(frames)} phases, {file_size(len(data))}: {picture}")


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
