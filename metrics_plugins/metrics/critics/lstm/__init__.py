"""Learned critics: networks that tell captions of people from captions of machines, and from ruined ones."""
