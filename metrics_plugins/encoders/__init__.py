"""Encoders of texts and images, with their weights, devices and caches."""
