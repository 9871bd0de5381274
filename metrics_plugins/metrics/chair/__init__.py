"""Metrics of what a caption makes up: CHAIRi and CHAIRs, over the 80 object categories of COCO."""
