"""Tasks handed out as batches, and their results read back."""
