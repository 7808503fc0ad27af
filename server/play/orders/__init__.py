"""What players hand in for a phase.

=================================== =============================================================
``orders`` ``patches``              orders for the open phase, and drafts; changes of single ones
``orders_as_text``                  orders as text, one a line
``orders_in_advance`` ``templates`` orders for a later phase; detachments saved to build again
``repeated_orders``                 orders that a seat repeats until it cancels them
=================================== =============================================================
"""
