"""Build: one file for each order; what several of them share lies beside them (1).

``works`` urban hexes and strongholds · ``buildings`` what stands in towns · ``defences`` what stands in strongholds ·
``garrisons`` their price and room · ``refit`` the units of forces that stand.
"""
