"""Scoring of a dataset: build inputs from the database, run metrics over them in chunks, and load the scores."""
