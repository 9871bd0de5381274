"""What the steps of making a study show beside their forms: drafts, costs, recommendations."""
