"""Raters arrive: links, panels, pseudonyms, and what each of their requests asks first."""
