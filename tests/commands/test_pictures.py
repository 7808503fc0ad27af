"""``sealed-orders map render``."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from typer.testing import CliRunner, Result

from server.cli import main


def render(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["map", "render", *arguments])


def test_a_shipped_scenario_as_svg(tmp_path: Path) -> None:
    picture = tmp_path / "map.svg"
    result = render("the-pass", "--to", str(picture))
    assert result.exit_code == 0, result.output
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")


def test_a_folder_as_png_of_the_width_asked_for(tmp_path: Path) -> None:
    picture = tmp_path / "map.png"
    result = render(str(Path(__file__).parents[2] / "maps" / "the-pass"), "--to", str(picture), "--width", "200")
    assert result.exit_code == 0, result.output
    assert picture.read_bytes()[16:20] == (200).to_bytes(4, "big")


def test_what_cannot_be_is_said(tmp_path: Path) -> None:
    for arguments, said in (
        (("atlantis", "--to", str(tmp_path / "map.svg")), "atlantis"),
        (("the-pass", "--to", str(tmp_path / "map.gif")), ".svg or .png"),
        (("the-pass", "--to", str(tmp_path / "map.svg"), "--ruleset", "chess"), "chess"),
        (("the-pass", "--to", str(tmp_path / "nowhere" / "map.svg")), "nowhere"),
    ):
        result = render(*arguments)
        assert result.exit_code in (1, 2)
        assert said in result.output
    assert not list(tmp_path.iterdir())
