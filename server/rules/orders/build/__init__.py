"""Build: one file for each order; what several of them share lies beside them (1).

``works`` urban hexes, strongholds and their buildings · ``garrisons`` their price and room · ``refit`` the units of
forces that stand.
"""
