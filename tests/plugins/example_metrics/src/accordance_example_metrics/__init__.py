"""An external plugin as written by its author."""
