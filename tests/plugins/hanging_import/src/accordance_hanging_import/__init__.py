"""A plugin whose import never finishes."""
