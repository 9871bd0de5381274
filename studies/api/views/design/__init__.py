"""Designs, preregistrations and plans as routes."""
