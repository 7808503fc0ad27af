"""What players hand in for a phase.

====================== ===============================================================================
``orders`` ``patches`` orders for the open phase, and drafts; changes of single ones
``orders_as_text``     orders as text, one a line
``orders_in_advance``  orders for later phases: for one of them, or repeated until a seat cancels them
``templates``          detachments saved to build again
====================== ===============================================================================
"""
