"""`critic-judgments`: a metric that predicts human judgments, fitted on judgments of other captions."""
