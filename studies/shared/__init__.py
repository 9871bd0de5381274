"""Utilities for every package of studies: errors with source locations, text, private files."""
