"""Commands for captioners: `list`, `train`, `caption` and `score` of `python -m captioning`."""
