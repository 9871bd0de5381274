"""Arrival of raters: links, panels, pseudonyms, and the lookup made for each of their requests."""
