"""Word Mover's Distance, the cost of moving the words of one text to those of another."""
