"""The use cases: what people and programs do with campaigns.

Knows nothing of HTTP. Every function takes the :class:`~server.play.context.AppContext` it works in and the
:class:`~server.play.context.Actor` that asks, returns frozen dataclasses (no rows), and refuses by raising
:class:`~server.play.errors.PlayError` with a stable code. A write is one transaction.

Each folder's own ``__init__`` is its map.

================================== ====================================================================
``context`` ``errors``             what each use case needs, who asks, what can be refused
``access`` ``options``             who may do what; what a campaign may choose
``text_input``                     checks of names, texts, addresses and time zones
``toml_input``                     TOML that people send, read in linear time
``background`` ``caches``          threads and processes; memos
``gc_tuning``                      how often a process that works for long looks for garbage
``accounts``                       people: sign-up and sign-in, tokens, blocking, one's own data
``campaigns``                      campaigns and seats, from the idea to the first phase
``orders``                         what players hand in for a phase: orders, results of the table
``resolution``                     resolving a phase, once
``schedule``                       what happens by itself: due phases, deadlines, cleanup
``views``                          what someone may know now
``records``                        every past phase, checked and shown; a campaign as one file
``dice``                           links, salts, seeds, keys; receipts
``game_masters``                   what a game master does by hand
``computers``                      computer players in a campaign that is kept
``messages``                       what players write to each other and of their battles
``notices``                        who is told what, where, and how it gets there
``operating``                      for the server's operators
``tables``                         battles on the table
``rosters``                        army rosters made elsewhere
================================== ====================================================================
"""
