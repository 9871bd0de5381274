"""Probes with template captions that list the objects of an image, and with distractor captions."""
