"""Shared text processing: tokenisers, n-gram tables, word lists, CSV."""
