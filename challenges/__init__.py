"""Challenges: results of several teams, scored against references that stay private."""
