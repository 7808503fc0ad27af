"""The use cases: what people and programs do with campaigns.

Knows nothing of HTTP. Every function takes the :class:`~server.play.context.AppContext` it works in and the
:class:`~server.play.context.Actor` that asks, returns frozen dataclasses (no rows), and refuses by raising
:class:`~server.play.errors.PlayError` with a stable code. A write is one transaction.

Each folder's own ``__init__`` is its map. Folders are layers: each knows only those further down (``pyproject.toml``).

================================== ====================================================================
``operating``                      for the server's operators
``schedule``                       automatic work: due phases, deadlines, cleanup
``people``                         guests, accounts that close, a user's own data
``archive``                        a campaign as one file: written, read in again, verified
``game_masters``                   what a game master does by hand
``campaigns``                      campaigns and seats, from the idea to the first phase
``orders``                         what players hand in for a phase
``battles``                        results of battles on the table
``resolution``                     resolving a phase, once
``computer_players``               computer players in a stored campaign: memory, letters, giving up
``messages``                       what players write to each other and of their battles
``views``                          what someone may know, now and of every past phase
``dice``                           salts; receipts
``tables``                         games on the table
``records``                        the record and its chain; where a campaign stands
``accounts``                       people: sign-up and sign-in, tokens, blocking
``notices``                        notifications: recipients, contents, channels, delivery
``edits``                          the language of a game master's edits
``rosters``                        army rosters made elsewhere
``access`` ``options`` ``rhythm``  who may do what; what a campaign may choose; when a phase is due
``agenda``                         what is due when, from the rows of campaigns
``game_data`` ``audit``            scenario and ruleset of a campaign; what admins did
``context`` ``errors``             what each use case needs, who asks, what can be refused
``text_input``                     checks of names, texts, addresses, time zones and TOML
``background`` ``caches``          threads and processes; memos
``gc_tuning``                      how often a long worker looks for garbage
================================== ====================================================================
"""
