"""Encoders of images, and how images are read and cut for them."""
