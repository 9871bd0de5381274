"""A plugin that never ends being imported."""
