"""Consensus studies: pairs of captions, with votes for each reference."""
