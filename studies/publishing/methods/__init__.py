"""The methods text and datasheet of a report, written from recorded facts."""
