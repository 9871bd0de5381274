"""Word Mover's Distance: how far the words of one text must travel to become those of another."""
