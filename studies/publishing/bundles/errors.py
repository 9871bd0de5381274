"""Errors of making, reading and rebuilding bundles."""

from studies.shared.errors import Refusal


class BundleRefused(Refusal):
    """A bundle cannot be made, or is damaged, tampered with or of another version; the message says where."""


class TablesDiffer(Refusal):
    """A rebuilt table is not byte-identical to the bundle's; the message names the first one."""
