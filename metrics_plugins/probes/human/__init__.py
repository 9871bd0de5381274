"""What metrics say of human captions, and what people repeat of each other."""
