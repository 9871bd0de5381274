"""Encoders of images, and the preprocessing of images."""
