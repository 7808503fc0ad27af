"""The use cases: what people and programs do with campaigns.

Knows nothing of HTTP. Every function takes the :class:`~server.play.context.Play` it works in and the
:class:`~server.play.context.Who` that asks, returns frozen dataclasses (no rows), and refuses by raising
:class:`~server.play.errors.PlayError` with a stable code. A write is one transaction.

======================= ==================================================================
``context`` ``errors``  what each use case needs, who asks, what can be refused
``accounts`` ``tokens`` sign-up, sign-in, passwords, bots; secrets and their scopes
``links``               links mailed to people
======================= ==================================================================
"""
