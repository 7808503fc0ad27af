"""Pictures of the map: SVG, PNG and moving pictures of any view of any phase.

Draws what a :class:`~server.rules.sight.View` holds and nothing else, so a picture cannot show more
than its viewer knows.
"""
