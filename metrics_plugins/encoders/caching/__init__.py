"""Caches of vectors in memory and on disk."""
