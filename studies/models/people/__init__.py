"""Models of raters: identity and consent, conduct, and the panel that sends and pays them."""
