"""What the steps of a campaign over HTTP share: who is in it, how they order, and how they fight."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from server.bots import commander
from tests.api.serving import Running
from tests.e2e.clients import Client, Table
from tests.e2e.generals import view_of
from tests.mail.conftest import PostOffice
from tests.play.test_delivery import Receiver


@dataclass
class Story:
    """What the steps of the campaign hand on to each other."""

    here: Running
    there: Running
    office: PostOffice
    receiver: Receiver
    gm: Client
    table: Table = field(init=False)
    key: str = ""
    """Of the webhook's signatures."""
    seen: dict[int, bytes] = field(default_factory=dict)
    """Ann's reading of each phase when it was over."""
    ways: set[str] = field(default_factory=set)
    """In which ways battles have come to their end."""

    @property
    def path(self) -> str:
        return self.table.path

    def campaign(self) -> dict[str, Any]:
        found: dict[str, Any] = self.gm.do("GET", self.path)
        return found

    def refused(self, actor: Client, method: str, path: str, body: object = None, **headers: str) -> tuple[int, str]:
        answer = actor.ask(method, path, body, **headers)
        assert answer.headers["content-type"] == "application/problem+json", answer.text
        return answer.status_code, answer.json()["code"]


def choose(story: Story, actor: Client) -> list[dict[str, Any]]:
    """Return orders that a computer player would give."""
    return commander.choose(view_of(actor, story.table))


def hand_in(story: Story, actor: Client, **more: Any) -> dict[str, Any]:
    body = {"orders": choose(story, actor), "salt": f"{actor.name}'s salt", "lenient": True} | more
    answer: dict[str, Any] = actor.do("PUT", f"{story.path}/orders", body)
    return answer["orders"]  # type: ignore[no-any-return]


def clash(story: Story) -> None:
    """Have Ann attack Cat: the game master puts them side by side."""
    state = view_of(story.gm, story.table).state
    land = {at for at in range(state.board.size) if state.ruleset.terrain[state.board.terrain[at]].land}
    ready = [each for each in state.detachment_at.values() if each.units]
    one = next(each for each in ready if each.owner == "p1")
    foe, beside = next(
        (each, near)
        for each in ready
        if each.owner == "p2"
        for near in state.board.adjacent[each.at]
        if near in land and near not in state.detachment_at and near not in state.garrison_at
    )
    to = {"do": "set", "what": "detachment", "id": one.id, "hex": state.board.label(beside), "battle_order": ""}
    story.gm.do("POST", f"{story.path}/gm/edits", {"edits": [to], "why": "They meet."})
    attack = {"type": "attack", "detachment": one.id, "target": state.board.label(foe.at)}
    for actor in story.table.players:
        if actor.do("GET", f"{story.path}/orders")["wanted"]:
            orders = [attack] if actor is story.table.players[0] else []
            actor.do("PUT", f"{story.path}/orders", {"orders": orders, "final": True})


def settle(story: Story, number: int) -> None:
    """End the phase's battles in one of three ways: both sides agree, the game master decides, the dice do."""
    gm, path = story.gm, story.path
    way = ("confirmed", "decided", "dice")[len(story.ways) % 3]
    for battle in gm.do("GET", f"{path}/battles")["items"]:
        if battle["winner"] or story.campaign()["phase_number"] != number:
            continue
        one, other = (story.table.players[int(battle[side][1:]) - 1] for side in ("attacking", "defended_by"))
        place = f"{path}/battles/{battle['hex']}/reports"
        bad = one.ask("POST", place, {"result": {"winner": "nobody"}})
        assert (bad.status_code, bad.json()["code"]) == (422, "report_refused")
        told = one.do("POST", place, {"result": {"winner": battle["attacking"]}, "note": "A close thing."})
        answer = {"text": "No, I held."}
        other.do("POST", f"{path}/reports/{told['id']}/dispute", answer, If_Match=f'"{told["revision"]}"')
        if way == "confirmed":
            told = one.do("POST", place, {"result": {"winner": battle["defended_by"]}})
            assert other.do("POST", f"{path}/reports/{told['id']}/confirm", {})["status"] == "confirmed"
        elif way == "decided":
            gm.do("PUT", f"{path}/gm/battles/{battle['hex']}", {"result": {"winner": battle["defended_by"]}, "why": ""})
    if way == "dice":
        assert gm.do("POST", f"{path}/gm/advance/check")["undecided"]
        gm.do("POST", f"{path}/gm/advance", {"number": number, "why": "Nobody agrees."})
    now = story.campaign()
    assert now["phase_number"] != number or now["status"] == "finished"
    story.ways.add(way)
