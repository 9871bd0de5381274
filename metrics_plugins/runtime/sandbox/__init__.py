"""Run plugins in separate processes, so that a failing plugin does not affect the calling process.

This protects against accidents, not against malicious code: a plugin runs with the rights of the user who started it,
unless a service starts it as another user (`SandboxLimits.service`).
"""

from metrics_plugins.runtime.sandbox.catalog import Catalog, CatalogEntry, catalog_from_json, catalog_to_json
from metrics_plugins.runtime.sandbox.errors import ChildFailed, ChildStopped
from metrics_plugins.runtime.sandbox.limits import SandboxLimits
from metrics_plugins.runtime.sandbox.listing import PluginChoice, list_bundled, list_outside
from metrics_plugins.runtime.sandbox.parameters import FormParameter
from metrics_plugins.runtime.sandbox.process import Reply, SandboxProcess

__all__ = [
    "Catalog",
    "CatalogEntry",
    "ChildFailed",
    "ChildStopped",
    "FormParameter",
    "PluginChoice",
    "Reply",
    "SandboxLimits",
    "SandboxProcess",
    "catalog_from_json",
    "catalog_to_json",
    "list_bundled",
    "list_outside",
]
