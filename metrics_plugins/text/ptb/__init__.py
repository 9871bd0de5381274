"""The Penn Treebank tokeniser of the COCO caption evaluation."""
