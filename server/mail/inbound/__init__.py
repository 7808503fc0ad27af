"""Reading a mail: from the bytes of a message to the words its sender wrote themselves.

Pure: no server, no database, no network. Any bytes are read without an exception.

============ =======================================================================
``reading``  :func:`~server.mail.inbound.reading.read`: bytes to a :class:`Reading`
``mime``     the parts of a message and their text: charsets, line ends, format=flowed, armour of PGP
``kinds``    mails of people, automatic answers, reports of failed delivery
``html``     HTML to lines, with quotations marked
``splitting``  own lines and the rest: signatures, disclaimers, footers of lists
``borders``  where a quotation begins: lines above it, headers, separators
``verbs``    words at the begin of a line that ask for something: ``FINAL``, ``REPORT 3``, ``MESSAGE to Bo``
``phrases``  what mail programs write, by language (``phrases.toml``)
============ =======================================================================
"""
