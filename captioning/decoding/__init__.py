"""Searching and sampling captions from the probabilities of words."""
