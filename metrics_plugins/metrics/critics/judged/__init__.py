"""`critic-judgments`: what people would say of a caption, learned from what they said of others."""
