"""The installed example plugins."""

from tests.plugins.installing import installed_plugins

__all__ = ["installed_plugins"]
