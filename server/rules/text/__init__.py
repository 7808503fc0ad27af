"""Orders as text, one a line: written for people, read as people write (``docs/orders.md``).

``reading`` a text becomes orders and problems · ``writing`` orders become a text that reads back to the same orders.
How each kind of order is written is said by its class (``TEXT``, :mod:`server.rules.orders.text`).
"""

from server.rules.orders.text.names import Names
from server.rules.orders.text.words import without_bullet
from server.rules.text.reading import ReadText, TextProblem, read_orders
from server.rules.text.writing import write_orders

__all__ = ["Names", "ReadText", "TextProblem", "read_orders", "without_bullet", "write_orders"]
