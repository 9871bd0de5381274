"""Vectors that were computed once, kept in memory and on disk."""
