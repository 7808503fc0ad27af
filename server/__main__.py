"""``python -m server`` is ``sealed-orders``."""

from server.cli import main

main()
