"""The use cases: what people and programs do with campaigns.

Knows nothing of HTTP. Every function takes the :class:`~server.play.context.AppContext` it works in and the
:class:`~server.play.context.Actor` that asks, returns frozen dataclasses (no rows), and refuses by raising
:class:`~server.play.errors.PlayError` with a stable code. A write is one transaction.

======================= ==================================================================
``context`` ``errors``  what each use case needs, who asks, what can be refused
``accounts`` ``tokens`` sign-up, sign-in, passwords, bots; secrets and their scopes
``links`` ``closing``   links mailed to people; an account closed for good
``campaigns`` ``seats`` made, changed, paused, finished, deleted; who sits where
``campaign_info``       a campaign and its seats as somebody sees them
``finding``             campaigns page by page
``desk`` ``lobby``      what one's campaigns want from one; a campaign with its ruleset, also by its code
``starting``            players, first dice, record 0, the Setup phase
``orders`` ``patches``  one's orders for the open phase; changing single ones
``drafting``            orders that are being written: what they would do, what may be added
``advance``             orders left for a later phase
``templates``           detachments saved to build again
``deadlines``           when a phase is due
``resolving``           a phase resolved, once; with ``gathering`` (what goes in), ``engine`` (the rules),
                        ``writing`` (what comes out), ``opening`` (the next one)
``records`` ``views``   the record, its chain and its dice; what somebody knows at a record
``reading`` ``history`` what one may know now, and of every past phase
``game_master``         advance, deadlines, edits, players; ``edits`` is the language of edits (``edit_*``)
``interventions``       what was done by hand, written down
``handing_over``        a campaign goes from one game master to another
``rollback``            back to an earlier phase, on a new branch
``new_readings``        later readings of the rules from the next turn on
``battles`` ``odds``    what is fought: how it may go; results of the table: reported, confirmed, decided
``messages`` ``live``   letters, announcements, declarations; which live topics one may follow
``webhooks`` ``delivery`` ``addresses`` ``discord``  who is told how; sending it; where nothing is sent; in whose words
``overseeing``          all campaigns, as the server's operator sees them
``ticker`` ``tidying``  what has come due in the meantime; what is too old to be kept
``record_files``        a campaign as one file; with ``importing``, ``verifying`` (``verifying_rows``), ``replaying``
``reply_tags`` ``mail_choice``  addresses that answers by mail go to; how much is mailed
``notices``             telling people, in one transaction with what is told
``access`` ``options``  who may do what; what a campaign may choose
``worlds``              the scenario and the ruleset a campaign keeps
``background``          threads and processes for what takes long
======================= ==================================================================
"""
