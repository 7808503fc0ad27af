"""Plays one turn of the great campaign in a process of its own and prints the most memory it had, in MB."""

from __future__ import annotations

from bench.measure import my_peak_megabytes
from bench.turns import GREAT, play_turn

if __name__ == "__main__":
    play_turn(GREAT)
    print(my_peak_megabytes())
