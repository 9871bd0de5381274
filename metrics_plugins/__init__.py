"""Automatic metrics as plugins, without Django: the contract is in `api`, and metrics in a folder per family."""
