"""The pages, one file a subject; :data:`server.web.site.pages` holds their order."""
