"""Orders: each kind reads, checks, previews, offers and plays itself; kinds of one subject share a file.

========================== =========================================================================================
``base``                   what an order is
``context``                where a player's orders are checked: what they know, and what the orders make of it
``fields``                 what its fields may hold; reading them out of arbitrary JSON
``registry`` ``sets``      all kinds there are; a whole set, and the order book of a phase
``text``                   how a kind of order is written as a line of text
``sites``                  what all building asks of its place, and how it is paid
``setup`` ``build``        the kinds by phase
``movement``
``movement_order``         what all movement orders share
``battle_movement``
``battles`` ``alliances``
========================== =========================================================================================
"""
