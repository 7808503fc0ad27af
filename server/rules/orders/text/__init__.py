"""How an order is written as a line of text: the pattern of its class, and what stands in it.

``patterns`` what a pattern is, a line held against it, an order written in it · ``values`` hexes, names, numbers,
lists · ``units`` those of a new force · ``names`` what things are called · ``words`` a line cut into
words, and what they mean.
"""
