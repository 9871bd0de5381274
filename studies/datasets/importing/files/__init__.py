"""Files that data sets come in: archives, JSON, MATLAB, lines, tables."""
