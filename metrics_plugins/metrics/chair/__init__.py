"""Metrics of object hallucination: CHAIRi and CHAIRs, over the 80 object categories of COCO."""
