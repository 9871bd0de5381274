"""Reports and exports as routes."""
