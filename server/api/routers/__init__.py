"""The endpoints, one file a subject; ``ROUTERS`` of :mod:`server.app` and :mod:`server.api.seldom` hold their order."""
