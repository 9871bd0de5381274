"""The JSON API, which offers programs the functions of the pages; each view makes one call."""
