"""A study of one's own, made from files: a design, a table of what is judged, and a folder of images."""
