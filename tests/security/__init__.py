"""Attacks: what hostile requests, files and texts were found to do, so that they never do it again."""
