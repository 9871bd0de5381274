"""Automatic metrics as plugins: the contract in `api`, one folder a metric family beside it. No Django here."""
