"""Sealed Orders: a server for simultaneous-turn strategic campaigns on a hex map."""
