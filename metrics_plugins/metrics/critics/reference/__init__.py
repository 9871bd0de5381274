"""`critic-reference`: agreement of a caption with its references, in a space learned from captions alone."""
