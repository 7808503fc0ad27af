"""The web pages: server-rendered, with htmx and plain ES modules; no build step, no third-party requests.

A page is a function of ``routers/`` that asks ``server.play`` and fills a template. What a player reads comes
from his own view, as everywhere. Scripts talk to the REST API with the session's cookie.

===================== ====================================================================
``site``              the parts all pages share: templates, texts, assets; mounted by ``install``
``visits``            who looks at which page: account, language, CSRF token; page, redirect, refusal
``route``             how every page is called: signed in or sent to the door; refusals as pages
``forms``             what was typed into a form
``rosters``           army rosters made elsewhere, read into units (``roster*``)
``texts``             all sentences of the pages, by language (``texts/en``, ``texts/de``)
``frame``             the frame of a campaign's pages: where it stands, its tabs
``asks`` ``words``    what a campaign asks of somebody; how it is played, in words
``factions``          what sets factions apart, in sentences
``choices``           the form in which a campaign chooses its options and rules
``edit_forms``        guided forms for edits of the position, and what these change
``letters``           messages as threads
``pictures``          pictures of scenarios
``assets``            scripts, styles and pictures under an address that changes with their content
``routers``           the pages, one file a subject
``templates``         one file a page; ``base.html`` is the frame, ``campaign.html`` the frame of a campaign's pages
``static``            styles and ES modules
``static/table``      map and orders: ``main`` starts, ``table`` holds all together, ``draft`` keeps the orders,
                      ``map`` (with ``viewport``, ``ground``, ``canvas``, ``things``, ``marks``) draws, ``dock``
                      (``*_panel``, ``*_form``) writes; what the map does, the panels do, too
===================== ====================================================================
"""
