"""The web pages: server-rendered, with htmx and plain ES modules; no build step, no third-party requests.

A page is a function of ``routers/`` that calls ``server.play`` and fills a template. What players read comes
from their own view, as everywhere. Scripts talk to the REST API with the session's cookie.

====================================== ================================================================================
``site`` ``templating``                all pages and assets as routers; templates, assets and data for scripts
``page_context``                       one request for a page: account, language, CSRF token; render, redirect, error
``route``                              how every page is called: sign-in, form, CSRF check, errors as pages
``frame``                              the frame of a campaign's pages: status, tabs
``table_frame``                        what the pages of table games share
``forms``                              the fields of a submitted form
``translations``                       all sentences of the pages by language (``texts/en``, ``texts/de``)
``next_action``                        what a campaign needs from the reader next
``campaign_form``                      the form for a campaign's options and rules
``campaign_settings``                  the same, as sentences
``factions`` ``scenario_cards``        what sets factions apart; scenarios to choose from
``phase_reports`` ``ledger``           past phases as sentences, rolls, battles; BP earned and spent
``results`` ``battle_news`` ``score``  what the last phases brought the reader; who stands how, and what wins
``map_data``                           what the map draws from, as data for scripts
``charts``                             standings over time
``battle_cards`` ``battle_results``    a battle: forces, modifiers, chances; results of the table as forms
``battle_tables``                      the table game of a battle on the battle's page
``order_sentences``                    orders as sentences
``edit_forms``                         forms for edits of the position, and what these change
``letters`` ``discord``                messages as threads; notices as Discord is told them
``assets``                             scripts, styles and pictures under an address that changes with their content
``routers``                            the pages, one file a subject
====================================== ================================================================================

``templates`` has one file a page; ``base.html`` is the frame, ``campaign.html`` the frame of a campaign's pages.
``static`` has styles and ES modules. ``static/table`` is map and orders: ``main`` starts, ``table`` holds all together,
``draft`` keeps the orders, ``map`` (with ``viewport``, ``ground``, ``canvas``, ``things``, ``marks``) draws, ``dock``
(``*_panel``, ``*_form``) writes; what the map does, the panels do, too. ``results`` walks through what happened.
"""
