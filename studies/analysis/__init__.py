"""Joins judgments and scores: results, explorer, disagreements, figures."""
