"""What players hand in for a phase: orders, and results of the table.

=================================== =============================================================
``orders`` ``patches``              orders for the open phase, and drafts; changes of single ones
``checked``                         sets that were checked already, for the resolution
``orders_as_text``                  orders as text, one a line
``orders_in_advance`` ``templates`` orders for a later phase; detachments saved to build again
``battles``                         results of the table: report, confirm, decide
=================================== =============================================================
"""
