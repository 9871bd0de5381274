"""Human agreement, measured by metrics and by words."""
