"""Readers of the file types of data sets: archives, JSON, MATLAB, lines and tables."""
