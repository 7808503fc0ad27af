"""Battles on the table: a pure engine that knows the mission, keeps clock, score and secrets, and rolls the dice."""
