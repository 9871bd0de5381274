"""Fields that several forms have."""
