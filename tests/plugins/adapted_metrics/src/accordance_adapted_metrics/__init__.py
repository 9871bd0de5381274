"""An external plugin that adapts existing metrics."""
