"""Errors of making, reading and rebuilding bundles."""


class BundleRefused(Exception):
    """A bundle cannot be made, or is damaged, tampered with or of another version; the message says where."""


class TablesDiffer(Exception):
    """A rebuilt table is not byte-identical to the bundle's; the message names the first one."""
