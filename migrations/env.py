"""Where Alembic starts; all that matters is in ``server/store/migrate.py``."""

from __future__ import annotations

import os

from alembic import context

from server.store.migrate import configured, locked

connection = context.config.attributes.get("connection")
if context.is_offline_mode():
    raise SystemExit("migrations look at the data, so they need a database: --sql is not supported")
if connection is not None:
    configured(context, connection)
else:
    url = context.get_x_argument(as_dictionary=True).get("url") or os.environ.get("SEALED_ORDERS_DATABASE_URL")
    if not url:
        raise SystemExit("which database? -x url=... or SEALED_ORDERS_DATABASE_URL")
    with locked(url) as connection:
        configured(context, connection)
