"""Items on which a metric and people, two metrics, or raters differ most, with explanations."""
