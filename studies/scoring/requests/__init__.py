"""Runs of metrics that people ask for on pages: asked, worked on in the background, stopped and taken up again."""
