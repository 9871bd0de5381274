"""`critic-reference`: how well a caption agrees with what people wrote, on a space learned from captions alone."""
