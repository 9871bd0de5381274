"""Bundles: a frozen report with all its data in one file, from which it can be reproduced byte for byte elsewhere."""
