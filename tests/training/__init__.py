"""The environment for people who train bots."""
