"""Players to measure the computer players by: the guide's bot, and the computer player as it was before postures.

``sealed-orders tournament --players regular,bench.contestants.guide:choose`` lets one play.
"""
