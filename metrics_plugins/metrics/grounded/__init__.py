"""Metrics of captions about worlds in which truth is known: grammaticality, truthfulness and diversity (GTD)."""
