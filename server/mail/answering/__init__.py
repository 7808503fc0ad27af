"""Incoming emails: from their bytes to their effect and the reply.

============ =======================================================================
``receive``  the one way in for every mail: :func:`~server.mail.answering.receive.receive`
``acting``   what the lines of one mail do, as its sender's account and seat
``written``  orders as text
``imap`` ``lmtp``  a mailbox that is looked into; a mail server that delivers
============ =======================================================================
"""

from collections import Counter

unanswered: Counter[str] = Counter()
"""Mails of this process that were not answered, by reason; the operator sees them in ``/metrics``."""
