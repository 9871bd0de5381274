"""Probes with captions made of templates and of the objects in an image."""
