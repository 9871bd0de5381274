"""Metrics that compare embeddings of pretrained encoders, without training."""
