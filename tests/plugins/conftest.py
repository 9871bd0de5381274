"""The installed example plugins."""

from tests.plugins.installing import installed_adapted_plugins, installed_broken_plugins, installed_plugins

__all__ = ["installed_adapted_plugins", "installed_broken_plugins", "installed_plugins"]
