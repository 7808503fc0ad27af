"""The demo: a server on a database of its own, a campaign in it, and who plays against you."""
