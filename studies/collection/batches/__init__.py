"""Batches of tasks for crowdsourcing platforms, and the import of their results."""
