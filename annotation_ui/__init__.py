"""The pages of raters. Owns no data: it shows tasks and hands answers to `studies.collection`."""
