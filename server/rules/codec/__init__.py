"""State and events as canonical bytes and back, and the hashes over them.

Canonical means: UTF-8 JSON, object keys sorted, no white space, every field always written, hexes as labels (D-01).
Two equal states give the same bytes however they came about: what is a set or a table in the rules is an object or a
sorted array here. Order stays only if it has meaning: players stand in seat order, battles in the order in which they
were opened, units as they stand in their force.

Boards and rulesets are not part of it; their digests are, and must match when a state is read.

=========== ==============================================================
``layout``  the fields of each noun and their kinds, and the format's number
``writing`` state and events to bytes, hashes
``reading`` bytes to state and events, each value checked before it is used
=========== ==============================================================
"""

from server.rules.codec.layout import FORMAT
from server.rules.codec.reading import decode, event_from_json
from server.rules.codec.writing import chain_hash, encode, encode_events, event_to_json, state_hash

__all__ = [
    "FORMAT",
    "chain_hash",
    "decode",
    "encode",
    "encode_events",
    "event_from_json",
    "event_to_json",
    "state_hash",
]
