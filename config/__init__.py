"""Composition root: settings, addresses and server entry points. The only place that knows every app."""
