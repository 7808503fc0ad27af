"""Mails to people: what lies in the outbox for them, written in their language and sent by SMTP.

A mail is computed when it is sent, from what its recipient may know at that moment, and only from that.

============ =======================================================================
``words``    the sentences of a language, and how it writes times
``letters``  a mail before it is one: its parts, as plain text and as HTML
``answers``  what an answer to a mail says; the message to someone invited by their address
``compose``  from a row of the outbox to a letter
``briefing`` the rest of a report: forces, stores, the map, also as a picture, orders to fill in
``inbound``  what a person wrote in a mail, apart from quotations and signatures
``answering`` mails that come in: what they do, and where they come from
``notices``  one function for each kind of notice
``reader``   who reads a notice, and what it comes to
``pushing``  the same notices as a browser shows them
``report``   what happened in a phase, as its reader saw it
``sender``   letters to mails, mails to an SMTP server
``services`` what sends mails and brings them in, as far as the operator has set it up
============ =======================================================================
"""
