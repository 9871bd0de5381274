"""Captioned images for training: sets of worlds, COCO captions, features from files."""
