"""A plugin that takes its process down while it is imported."""
