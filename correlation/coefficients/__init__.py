"""Coefficients between scores and judgments, for one metric or many, at each level, plain or weighted."""
