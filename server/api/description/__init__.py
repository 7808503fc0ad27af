"""The schemas of the API's description that no model of pydantic has: what the rules write as JSON.

========== =====================================================================
``plain``   the small pieces that the others are made of
``orders``  every type of order, from the fields of its class
``position`` the state of a campaign, from the layout of its canonical bytes
``events``  every type of event
``advice``  legal orders, previews, needs of units
``ground``  maps, rulesets and the campaign's settings
``tables``  table games: their rulings, and the players they wait for
``meanings`` what properties mean: docstrings, and ``meanings.toml``
``refined`` which field of which model has which of these schemas; words with a fixed list of values
``tidy``    what makes the description short and its names good
``examples`` an example for everything
``headers`` the headers of requests and responses
``webhooks`` what webhooks and event streams send
``whole``   the description, put together from the routes of the app and all of these
========== =====================================================================
"""
