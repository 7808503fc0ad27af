"""Pictures of table games: a mission, or the state of a game as one side may see it.

=========== ====================================================================
``drawing`` what there is to draw, in plain values; made from a mission or a view
``svg``     the drawing as an SVG picture, in colour and for black-and-white print
``story``   what happens and whose tap is awaited, in sentences
``sheet``   the sheet of a mission to print
``marks``   single things in it: markers, units, patrol markers, terrain
=========== ====================================================================
"""
