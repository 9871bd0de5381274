"""Synthetic worlds with captions of known truth. Pure Python, without Django."""
