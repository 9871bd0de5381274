"""Learned metrics (critics), and the folders in which they are saved."""
