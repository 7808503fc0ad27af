"""The pages, one file a subject; :data:`server.web.site.PAGES` holds their order."""
