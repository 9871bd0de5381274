"""The metric that aligns the words of a candidate with those of a reference: METEOR 1.5."""
