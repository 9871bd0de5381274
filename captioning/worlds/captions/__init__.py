"""Draws captions of worlds, edits and checks them."""
