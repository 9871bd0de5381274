"""Metrics that compare scene graphs: SPICE, its parts by kind of tuple, and SPICE-U."""
