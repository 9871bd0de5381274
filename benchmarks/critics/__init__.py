"""Evidence and timings on the learned critics."""
