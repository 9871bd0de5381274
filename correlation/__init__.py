"""Correlation of metrics with human judgments, in pure Python on numpy and scipy, without Django.

Start with `correlate` (two arrays and a level), or with `get_protocol` and `evaluate_protocol` (a published protocol
and a table of judgments).
"""
