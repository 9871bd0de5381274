"""An outside plugin, as its author would write it."""
