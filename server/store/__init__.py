"""The database: tables, transactions, migrations, and loading and saving a campaign's position.

Knows the rules' nouns and nothing of who asks: layers above decide what is read and written when.
"""
