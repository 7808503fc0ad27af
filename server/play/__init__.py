"""The use cases: what people and programs do with campaigns.

Knows nothing of HTTP. Every function takes the :class:`~server.play.context.AppContext` it works in and the
:class:`~server.play.context.Actor` that asks, returns frozen dataclasses (no rows), and refuses by raising
:class:`~server.play.errors.PlayError` with a stable code. A write is one transaction.

=========================================== ===========================================================================
``context`` ``errors``                      what each use case needs, who asks, what can be refused
``access`` ``options``                      who may do what; what a campaign may choose
``accounts`` ``passwords`` ``tokens``       sign-up, sign-in, bots; how many passwords are checked at a time; secrets
``links`` ``link_tokens``                   links sent by mail, and their rows
``names`` ``account_closing``               names that look like others'; an account closed for good
``campaigns`` ``seats``                     create, change, pause, finish, delete; who sits where
``campaign_info`` ``lobby``                 a campaign and its seats as somebody sees them; the same with its ruleset
``campaign_search`` ``dashboard``           campaigns page by page; what my campaigns need from me
``campaign_start``                          players, first dice, record 0, the Setup phase
``solo``                                    a campaign alone against computer players, begun at once
``practice``                                a position one may read, opened against computer players
``computer_players``                        what computer players remember of a campaign, their postures
``computer_letters``                        letters of computer players
``orders`` ``patches``                      orders for the open phase, and drafts; changes of single ones
``orders_as_text``                          orders as text, one a line
``order_fast_path``                         the usual write of an order set, with few statements
``orders_in_advance`` ``templates``         orders for a later phase; detachments saved to build again
``deadlines`` ``downtime``                  when a phase is due; what is made of time in which no server looked
``resolution``                              resolves a phase, once
``resolution_rows`` ``resolution_input``    what a resolution reads, in few statements; what goes into the phase
``engine``                                  the call of the rules, and their version
``phase_writing`` ``phase_opening``         what comes out; the next phase
``records``                                 the record and its chain; what somebody knows at a record; interventions
``phase_dice`` ``salts`` ``salt_keeping``   links, seeds and keys; the salts of one's seat; where salts lie
``sealing``                                 the record after the end: sealed, then public
``receipts`` ``receipt_checks``             what the server signs; receipts compared with a record
``positions`` ``history`` ``odds``          what one may know now; every past phase; chances in a battle
``reads`` ``campaign_digest``               as whom somebody reads and what is current: one statement; kept bytes
``view_changes``                            what is new in a view since one that its reader has
``giving_up``                               computer players that give up (P-37)
``game_master``                             advance, deadlines, edits, players
``edits`` ``edit_fields`` ``edit_ground``   the language of edits: reading it; land and places
``edit_forces`` ``edit_players``            forces; players
``edit_battles``                            battles
``phoned_in`` ``missed``                    orders entered for a player; missed deadlines counted anew
``handover`` ``rollback`` ``new_readings``  another game master; back to an earlier phase; newer rules
``battles``                                 results of the table: report, confirm, decide
``calendar``                                deadlines and battles for a calendar program
``messages``                                letters, announcements, declarations
``notebook``                                notes of turns and pins in the map, for oneself
``notices`` ``webhooks`` ``delivery``       who is told what, and live topics; where; sending it
``push``                                    notices pushed to browsers: keys, encryption, who is told
``reply_tags`` ``mail_choice``              addresses for answers by mail; how much is mailed
``mail_invitations``                        asking somebody by their mail address
``addresses`` ``posting`` ``chat``          addresses to which nothing is sent; one notice to one webhook; to a chat
``ticker`` ``due``                          what comes due by itself; due phases, and who takes them
``cleanup`` ``waiting``                     what is too old to be kept; figures of what waits
``record_files`` ``record_import``          a campaign as one file; reading it in again
``record_rows``                             its events and snapshots, as every version has written them
``verification`` ``verification_rows``      checks of a record: chain, dice, states; its rows
``chronicle`` ``pictures``                  what players write of their battles, with pictures
``replay``                                  a record as pictures and events, phase by phase
``own_maps``                                own scenarios and rulesets, checked together
``catalog`` ``game_data``                   the scenarios and rulesets of the server; those a campaign keeps
``text_input``                              checks of names, texts, addresses and time zones
``campaign_overview`` ``user_admin``        for the server's operator: campaigns, accounts
``administration``                          for admins on a page: how the server stands, failures, reports of people
``second_factor`` ``second_factor_setup``   codes of an authenticator app; switching that on and off
``blocking`` ``own_data``                   people one wants nothing of, reports of them; one's own data as a file
``tables``                                  battles on the table; its own ``__init__`` is its map
``rosters``                                 army rosters made elsewhere; its own ``__init__`` is its map
``background`` ``caches``                   threads and processes; memos
=========================================== ===========================================================================
"""
