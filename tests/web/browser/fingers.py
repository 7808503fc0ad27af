"""Several fingers on the glass at once, which a tap cannot show."""

from __future__ import annotations

from playwright.sync_api import CDPSession, Page

Point = tuple[float, float]


class Fingers:
    """Fingers on a page; each has a number."""

    def __init__(self, page: Page) -> None:
        self.glass: CDPSession = page.context.new_cdp_session(page)
        self.down: dict[int, Point] = {}

    def put(self, **at: Point) -> None:
        """Put fingers down: ``put(a=(10, 10), b=(90, 10))``."""
        for name, point in at.items():
            self.down[ord(name)] = point
            self._tell("touchStart")

    def move(self, steps: int = 5, **to: Point) -> None:
        """Move fingers together, in steps."""
        begin = dict(self.down)
        for step in range(1, steps + 1):
            for name, (x, y) in to.items():
                was = begin[ord(name)]
                self.down[ord(name)] = (was[0] + (x - was[0]) * step / steps, was[1] + (y - was[1]) * step / steps)
            self._tell("touchMove")

    def lift(self, *names: str) -> None:
        """Take fingers away; all of them without a name."""
        for name in names or [chr(each) for each in self.down]:
            id = ord(name)
            self._tell("touchEnd", {id: self.down.pop(id)})

    def _tell(self, kind: str, which: dict[int, Point] | None = None) -> None:
        points = [{"x": x, "y": y, "id": id} for id, (x, y) in (which or self.down).items()]
        self.glass.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
