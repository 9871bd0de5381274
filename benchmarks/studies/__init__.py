"""Timings of pages, imports and exports of large studies, and of many raters at once."""
