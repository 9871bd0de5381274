"""An outside plugin that adapts what is there already."""
