"""Networks that give probabilities to captions: encoders of images, decoders of words, language models (torch)."""
