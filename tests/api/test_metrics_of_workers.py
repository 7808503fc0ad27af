"""Whichever worker is asked for figures adds up those of all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

WORKER = """
import sys, os
from server.http.limits import Slots
from server.http.metrics import Metrics
streams = Slots(5)
metrics = Metrics(streams)
metrics.count("/api/v1/errors", "GET", 200, 0.1)
metrics.count("/api/v1/me/stream", "GET", 200, 100.0)
metrics.resolutions.observe(0.2)
streams.take("ann")
print("ready", flush=True)
for _ in sys.stdin:
    print(metrics.page().decode(), "# end", sep="", flush=True)
"""


class Worker:
    """A process that counts, and shows the figures when it is asked."""

    def __init__(self, folder: Path) -> None:
        environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(folder)}
        self.process = subprocess.Popen(
            [sys.executable, "-c", WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        assert self._line() == "ready"

    def figures(self) -> dict[str, float]:
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        lines = list(iter(self._line, "# end"))
        return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines if line[0] != "#")}

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()

    def _line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()


def test_figures_are_those_of_all_workers(tmp_path: Path) -> None:
    workers = [Worker(tmp_path), Worker(tmp_path)]
    try:
        found = workers[0].figures()
        assert found['http_requests_total{handler="/api/v1/errors",method="GET",status="2xx"}'] == 2
        assert found["sealed_orders_resolution_seconds_count"] == 2
        assert found["sealed_orders_open_streams"] == 2
        assert found["sealed_orders_workers"] == 2
        assert found["process_resident_memory_bytes"] > 20_000_000
        assert found["process_cpu_seconds_total"] > 0
        assert sum(name.startswith("sealed_orders_build_info{") for name in found) == 1
        assert workers[1].figures()["sealed_orders_open_streams"] == 2
    finally:
        workers[1].end()
    after = workers[0].figures()
    workers[0].end()
    assert after["sealed_orders_open_streams"] == 1, "what a worker had open ends with it"
    assert after["sealed_orders_workers"] == 1
    assert after['http_requests_total{handler="/api/v1/errors",method="GET",status="2xx"}'] == 2


def test_streams_are_apart_from_requests(tmp_path: Path) -> None:
    worker = Worker(tmp_path)
    found = worker.figures()
    worker.end()
    assert found["sealed_orders_stream_duration_seconds_count"] == 1
    assert not any(name.startswith("http_request_duration") and "stream" in name for name in found)
