"""Rehearsals through the JSON API; beside the page of rehearsals, since raters' pages play in them."""
