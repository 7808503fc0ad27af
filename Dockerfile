# The server as a container: a wheel built in the first stage, installed in the second; no compiler, no root.
#
#   docker build -t sealed-orders .
#   docker run -p 8000:8000 -v sealed-orders:/data sealed-orders
#
# The Python of both stages is the one the tests run on in CI.
FROM python:3.11-slim AS build

WORKDIR /src
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY server server
COPY client client
COPY maps maps
COPY docs/rulebook.md docs/rulebook.md
COPY docs/rulebook.de.md docs/rulebook.de.md
COPY docs/orders.md docs/orders.md
COPY docs/orders.de.md docs/orders.de.md
COPY migrations migrations
RUN pip wheel --no-cache-dir --wheel-dir /wheels ".[postgresql]"


FROM python:3.11-slim

RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-index --find-links=/wheels "sealed-orders[postgresql]" \
    && useradd --system --uid 10001 --home-dir /data --create-home --shell /usr/sbin/nologin sealed-orders

ENV PYTHONUNBUFFERED=1 \
    MPLCONFIGDIR=/tmp/matplotlib \
    SEALED_ORDERS_DATABASE_URL=sqlite:////data/sealed-orders.db

USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8000

HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]

# "serve" brings the database to its schema first; processes that start together do not step on each other.
ENTRYPOINT ["sealed-orders"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000"]
