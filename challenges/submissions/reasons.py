"""Why the scoring of a valid file failed: texts that say nothing about references or metrics."""

from typing import Final

UNSCORED: Final = "No metric could be computed. Ask the hosts to look into it; the submission does not count."
LOST: Final = "The server could not finish scoring. The submission does not count: please submit the file again."
FAILED_IN_SCORING: Final = (UNSCORED, LOST)
"""The reasons of failed submissions whose file was valid."""
