"""What researchers take home for other programs: judgments, scores and candidates in the formats that those read."""
