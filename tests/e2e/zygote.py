"""Starts server processes fast: everything is imported and made ready once, each server is a fork of that.

Reads one JSON object a line (``environment``, ``port``, ``log``), forks a process that serves, and answers with its
process id; ``{"wait": pid}`` is answered with the exit code.
"""

from __future__ import annotations

import gc
import json
import os
import sys

import server.serving
import server.settings
from tests import apps, dice, passwords


def main() -> None:
    """Serve until standard input is closed."""
    passwords.make_cheap()
    dice.fix()
    apps.prepare()
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        asked = json.loads(line)
        if "wait" in asked:
            _, status = os.waitpid(asked["wait"], 0)
            print(os.waitstatus_to_exitcode(status), flush=True)
            continue
        process = os.fork()
        if process == 0:
            _serve(asked)
        print(process, flush=True)


def _serve(asked: dict[str, object]) -> None:
    code = 1
    try:
        log = os.open(str(asked["log"]), os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for mine, place in ((nothing, 0), (log, 1), (log, 2)):
            os.dup2(mine, place)
        os.environ.clear()
        os.environ.update(asked["environment"])  # type: ignore[call-overload]
        settings = server.settings.read()
        server.serving.serve(settings, server.serving.Address("127.0.0.1", int(str(asked["port"]))))
        code = 0
    finally:
        os._exit(code)


if __name__ == "__main__":
    main()
