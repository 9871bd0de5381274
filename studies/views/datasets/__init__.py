"""Studies made of uploaded files, and images."""
