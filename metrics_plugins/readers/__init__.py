"""Readers of captions in COCO's JSON, and in CSV, JSON lines or Parquet with columns `image_id` and `caption`."""

from metrics_plugins.readers.captions import read_captions
from metrics_plugins.readers.corpora import Corpus, read_corpus
from metrics_plugins.readers.judgments import JudgedCaptions, read_judgments
from metrics_plugins.readers.records import CaptionFile, CaptionRecord, InputError
from metrics_plugins.readers.results import ResultsError, ResultsFile, ResultsProblem, read_results

__all__ = [
    "CaptionFile",
    "CaptionRecord",
    "Corpus",
    "InputError",
    "JudgedCaptions",
    "ResultsError",
    "ResultsFile",
    "ResultsProblem",
    "read_captions",
    "read_corpus",
    "read_judgments",
    "read_results",
]
