"""How an order is written as a line of text: the pattern of its class, and what stands in it.

``patterns`` what a pattern is · ``matching`` a line held against it · ``filling`` an order written in it · ``values``
hexes, names, numbers, lists · ``units`` those of a new force · ``names`` what things are called · ``lines`` a line cut
into words · ``words`` those orders are written with.
"""
