"""Datasets: imports of published formats, drafts from uploaded files, images, collected captions."""
