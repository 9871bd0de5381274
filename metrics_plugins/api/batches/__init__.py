"""The rows that a metric scores, stored by column, with human judgments where a metric is fitted on them."""
