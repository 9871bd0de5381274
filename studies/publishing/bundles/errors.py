"""What is said when a bundle cannot be made, read or rebuilt."""


class BundleRefused(Exception):
    """A bundle cannot be made, or is damaged, tampered with or of another version; the message says where."""


class TablesDiffer(Exception):
    """A rebuilt table is not the bundle's, byte for byte; the message names the first."""
