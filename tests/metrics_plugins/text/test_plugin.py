"""Tests that the bundled tokenisers are provided by the hook."""

import json
import pickle
from pathlib import Path

import pytest

from metrics_plugins.api.errors import UnknownTokenizer
from metrics_plugins.runtime import load_registry


def test_ptb_gives_the_golden_tokens(golden_folder: Path) -> None:
    # pycocoevalcap 1.2 PTBTokenizer (Stanford CoreNLP 3.4.1) on Java 17.
    candidates = json.loads((golden_folder / "candidates.json").read_text())
    expected = json.loads((golden_folder / "expected_tokens.json").read_text())["candidates"]

    lines = load_registry().get_tokenizer("ptb").tokenize([row["caption"] for row in candidates])

    assert lines == [expected[str(row["image_id"])] for row in candidates]


def test_tokenizer_tells_name_and_version_and_survives_pickling() -> None:
    tokenizer = load_registry().get_tokenizer("ptb")

    assert tokenizer.name == "ptb"
    assert tokenizer.version
    assert pickle.loads(pickle.dumps(tokenizer)) == tokenizer  # noqa: S301


def test_unknown_tokenizer() -> None:
    with pytest.raises(UnknownTokenizer, match="no installed plugin provides a tokenizer 'bpe'"):
        load_registry().get_tokenizer("bpe")
