"""What forces are called: the owner stands beside a name that forces of two owners share, in every sentence.

Seen to fail: with the name of the event in place of the force's own for what is destroyed.
"""

from __future__ import annotations

from server.core.events import Event
from server.render import story
from server.render.naming import Named, distinct_names

FORCES = (Named("a", "Wolf", "p1"), Named("b", "Wolf", "p2"), Named("c", "Bear", "p1"), Named("d", "Bear", "p1"))
PLAYERS = {"p1": "Ann", "p2": "Ben"}


def test_the_owner_stands_beside_a_shared_name() -> None:
    names = distinct_names(FORCES, PLAYERS)
    assert [names[each] for each in "abcd"] == ["Wolf (Ann)", "Wolf (Ben)", "Bear", "Bear"]
    assert names["owner/b"] == "p2"


def test_what_is_destroyed_is_named_like_all_else() -> None:
    fields = {"force": "b", "name": "Wolf", "hex": "0404", "reason": "battle"}
    told = story.sentence(Event("destroyed", fields, (), False), distinct_names(FORCES, PLAYERS))
    assert str(told) == "Wolf (Ben) is wiped out in 0404."
    assert [part.owner for part in told.parts if part.owner] == ["p2"]
    assert str(story.sentence(Event("destroyed", fields, (), False), {})) == "Wolf is wiped out in 0404."
