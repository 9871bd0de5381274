"""Simulations through the JSON API; beside the page of simulations, since raters' pages play in them."""
