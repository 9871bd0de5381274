"""Database triggers that keep what raters judge, and which slots are held."""
