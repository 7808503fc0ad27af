"""The use cases: what people and programs do with campaigns.

Knows nothing of HTTP. Every function takes the :class:`~server.play.context.AppContext` it works in and the
:class:`~server.play.context.Actor` that asks, returns frozen dataclasses (no rows), and refuses by raising
:class:`~server.play.errors.PlayError` with a stable code. A write is one transaction.

=========================================== ===========================================================================
``context`` ``errors``                      what each use case needs, who asks, what can be refused
``access`` ``options``                      who may do what; what a campaign may choose
``accounts`` ``passwords`` ``tokens``       sign-up, sign-in, bots; how many passwords are checked at a time; secrets
``links`` ``account_closing``               links sent by mail; an account closed for good
``campaigns`` ``seats``                     create, change, pause, finish, delete; who sits where
``campaign_info`` ``lobby``                 a campaign and its seats as somebody sees them; the same with its ruleset
``campaign_search`` ``dashboard``           campaigns page by page; what my campaigns need from me
``campaign_start``                          players, first dice, record 0, the Setup phase
``orders`` ``patches`` ``drafting``         orders for the open phase; changes of single ones; drafts
``orders_as_text``                          orders as text, one a line
``order_fast_path``                         the usual write of an order set, with few statements
``orders_in_advance`` ``templates``         orders for a later phase; detachments saved to build again
``deadlines``                               when a phase is due
``resolution``                              resolves a phase, once
``resolution_input`` ``engine``             what goes in; the call of the rules
``phase_writing`` ``phase_opening``         what comes out; the next phase
``records`` ``views``                       the record, its chain and its dice; what somebody knows at a record
``positions`` ``history`` ``odds``          what one may know now; every past phase; chances in a battle
``game_master`` ``interventions``           advance, deadlines, edits, players; the log of what was done by hand
``edits`` ``edit_fields`` ``edit_ground``   the language of edits: reading it; land and places
``edit_forces`` ``edit_players``            forces; players
``edit_battles``                            battles
``handover`` ``rollback`` ``new_readings``  another game master; back to an earlier phase; newer rules
``battles``                                 results of the table: report, confirm, decide
``messages`` ``live``                       letters, announcements, declarations; which live topics one may follow
``notices`` ``webhooks`` ``delivery``       who is told what; where; sending it
``reply_tags`` ``mail_choice``              addresses for answers by mail; how much is mailed
``addresses`` ``discord``                   addresses to which nothing is sent; the format of Discord
``ticker`` ``cleanup``                      what is due; what is too old to be kept
``record_files`` ``record_import``          a campaign as one file; reading it in again
``verification`` ``verification_rows``      checks of a record: chain, dice, states; its rows
``replay``                                  a record as pictures and events, phase by phase
``catalog`` ``game_data``                   the scenarios and rulesets of the server; those a campaign keeps
``text_input``                              checks of names, texts, addresses and time zones
``campaign_overview`` ``user_admin``        for the server's operator: campaigns, accounts
``background`` ``caches`` ``versions``      threads and processes; memos; the version of the rules
=========================================== ===========================================================================
"""
