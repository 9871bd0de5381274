"""Plugins in processes of their own: whatever one does there, the process that asked goes on.

This keeps accidents away and is no prison: a plugin runs with the rights of who started it, unless a service starts
it as another user (`Limits.service`).
"""

from metrics_plugins.guarding.catalog import Catalog, CatalogEntry, catalog_from_json, catalog_to_json
from metrics_plugins.guarding.errors import ChildFailed, ChildStopped
from metrics_plugins.guarding.limits import Limits
from metrics_plugins.guarding.listing import PluginChoice, list_bundled, list_guarded, list_outside
from metrics_plugins.guarding.parameters import Parameter
from metrics_plugins.guarding.process import GuardedProcess, Reply

__all__ = [
    "Catalog",
    "CatalogEntry",
    "ChildFailed",
    "ChildStopped",
    "GuardedProcess",
    "Limits",
    "Parameter",
    "PluginChoice",
    "Reply",
    "catalog_from_json",
    "catalog_to_json",
    "list_bundled",
    "list_guarded",
    "list_outside",
]
