"""Bundles: a frozen report with everything that it was made from, in one file, rebuilt byte for byte elsewhere."""
