"""Which captioning systems the raters of a study prefer: its numbers, and their tables, figures and files."""
