"""Exports of judgments, scores and candidates in the formats of other programs."""
