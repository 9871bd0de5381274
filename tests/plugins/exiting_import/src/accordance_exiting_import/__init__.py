"""A plugin that terminates its process when it is imported."""
