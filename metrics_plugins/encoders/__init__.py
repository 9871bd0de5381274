"""Encoders of texts and images: weights, devices, and what is kept of what they computed."""
