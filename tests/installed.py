"""The plugins installed here, which are excluded from registries with only a test's own metrics."""

from importlib.metadata import entry_points

INSTALLED_PLUGINS = tuple(sorted(entry_point.name for entry_point in entry_points(group="accordance")))
