"""The installed example plugins."""

from tests.plugins.installing import installed_broken_plugins, installed_plugins

__all__ = ["installed_broken_plugins", "installed_plugins"]
