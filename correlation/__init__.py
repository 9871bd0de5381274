"""Which metrics agree with people: arrays in, frozen results out. Pure Python on numpy and scipy, no Django.

Start with `correlate` (two arrays and a level), or with `get_protocol` and `evaluate_protocol` (a published
recipe and a table of judgments).
"""
