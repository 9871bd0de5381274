"""Learned critics, and the folders that keep what they learned."""
