"""The part of `score` that reads tables larger than memory: its arguments, and what it prints."""
