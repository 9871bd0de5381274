"""Pretrained encoders of texts and images, a store of their embeddings, and the metrics that need no training."""
