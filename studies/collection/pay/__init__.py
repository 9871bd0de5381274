"""Pay of raters, and claims of those who withdrew."""
