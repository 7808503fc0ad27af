"""``python -m server.missions`` writes the JSON schema of mission files beside them."""

import json

from server.missions import FOLDER
from server.referee.reader import schema

SCHEMA = FOLDER / "mission.schema.json"

if __name__ == "__main__":
    SCHEMA.write_text(json.dumps(schema(), indent=2) + "\n", encoding="utf-8")
