"""Tables of judgments: columns, rows, references."""
