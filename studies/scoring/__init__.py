"""Scores of a dataset: inputs built from the database, metrics run over them in chunks, and their loading."""
