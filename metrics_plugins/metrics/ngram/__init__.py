"""Metrics that count n-grams or common subsequences: BLEU, ROUGE-L, CIDEr, CIDEr-D, and caption length."""
