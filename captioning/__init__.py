"""Captioning: worlds in which truth is known, and later captioners to be judged. Pure Python, without Django."""
