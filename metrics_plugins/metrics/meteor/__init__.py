"""METEOR 1.5, a metric that aligns the words of a candidate with those of a reference."""
