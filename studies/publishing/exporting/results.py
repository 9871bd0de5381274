"""Export of results per item: the file formats and their writers."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from studies.analysis.results import StudyResults
from studies.publishing.exports import write_results_csv, write_results_json

RESULT_FORMATS: Final[Mapping[str, Callable[[StudyResults], Iterator[str]]]] = MappingProxyType(
    {"csv": write_results_csv, "json": write_results_json}
)
"""File extension -> its writer."""
