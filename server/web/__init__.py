"""The web pages: server-rendered, with htmx and plain ES modules; no build step, no third-party requests.

A page is a function of ``routers/`` that calls ``server.play`` and fills a template. What players read comes
from their own view, as everywhere. Scripts talk to the REST API with the session's cookie.

====================================== ================================================================================
``site``                               all pages and assets as routers
``templating``                         templates; scripts, styles and pictures under an address with their version
``page_context``                       one request for a page: account, language, CSRF token; render, redirect, error
``route``                              how every page is called: sign-in, form, CSRF check, errors as pages
``frame``                              what pages of campaigns share (status, tabs), and those of table games
``forms``                              the fields of a submitted form
``translations``                       all sentences of the pages by language (``texts/en``, ``texts/de``)
``presenters``                         what the pages show, made for their templates (its ``__init__`` is its map)
``routers``                            the pages, one file a subject
====================================== ================================================================================

``templates`` has one file a page; ``base.html`` is the frame, ``campaign.html`` the frame of a campaign's pages.
``static`` has styles and ES modules. ``static/table`` is map and orders: ``main`` starts, ``table`` holds all together,
``draft`` keeps the orders, ``clicks`` decides what a click does, ``map`` (with ``viewport``, ``ground``, ``canvas``,
``things``, ``marks``) draws, ``dock`` (``*_panel``, ``*_form``) writes; what the map does, the panels do, too.
``results`` walks through what happened.
``static/film`` plays a phase as a film on that map; it is fetched when it is first watched.
"""
