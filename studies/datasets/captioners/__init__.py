"""Captioners as systems: which ones pages offer, the images that they read, and the captions that they write."""
