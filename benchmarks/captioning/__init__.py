"""Reports on captioners: paper findings on worlds, diverse captions, informative captions, and speed."""
