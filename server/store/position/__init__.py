"""The current position between the engine's :class:`State` and its tables, both ways, without loss."""

from server.store.position.load import NoPosition, load_position, size_columns, size_of
from server.store.position.save import Save, Written, save_position, save_positions
from server.store.position.settings import settings_from_json, settings_to_json

__all__ = [
    "NoPosition",
    "Save",
    "Written",
    "load_position",
    "save_position",
    "save_positions",
    "settings_from_json",
    "settings_to_json",
    "size_columns",
    "size_of",
]
