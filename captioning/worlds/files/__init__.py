"""Read and write the original's files: worlds, captions, semantic trees, and whole folders of instances."""
