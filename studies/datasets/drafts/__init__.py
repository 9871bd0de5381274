"""Draft studies from uploaded files: a design, a table of items, and a folder of images."""
