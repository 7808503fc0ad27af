"""The current position in its tables, for people's SQL and for lists. The server itself reads snapshots."""

from server.store.position.save import Save, save_position, save_positions
from server.store.position.settings import settings_from_json, settings_to_json

__all__ = [
    "Save",
    "save_position",
    "save_positions",
    "settings_from_json",
    "settings_to_json",
]
