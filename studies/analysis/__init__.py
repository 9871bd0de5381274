"""Analyses of judgments and scores: results, explorer, disagreements, figures."""
