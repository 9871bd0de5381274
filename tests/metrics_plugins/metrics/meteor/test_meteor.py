"""Tests of METEOR against the program METEOR 1.5: golden numbers, real captions and unusual ones."""

import gzip
import json
import math
import random
import zipfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics_plugins.metrics.meteor.counting import clear_perfect_chunks
from metrics_plugins.text.ptb.tokenizer import tokenize_captions
from tests.metrics_plugins.metrics.meteor.peer import PeerScores, Rows, open_peer
from tests.metrics_plugins.metrics.meteor.scoring import run_meteor, score
from tests.metrics_plugins.metrics.ngram.tokenized import make_batch

# Words and signs that the second tokenising treats in ways of its own, and two words of equal hash code.
_ODD_TEXT = (
    "'s u.s. dr. no. 5 - ... 1,000 a,b ; ( ) '' `` \u201cx\u201d \u2019s don't caf\u00e9 \u00e9 \u00df t-shirt v. e.g. "
    "black-and-white p.m. || $ % \u65e5\u672c \U0001f600 a.b.c x..y 3.5 ! ? o'clock ' rock'n'roll -- \u2013 &amp; "
    "c0 an pp. 3 Dogs THE 5's \u0130 i.e."
)
ODD_WORDS = _ODD_TEXT.split(" ")
N_ROWS = 20_000


@pytest.fixture(scope="module")
def coco_captions() -> list[list[str]]:
    """The captions of each image of val2014."""
    (package,) = find_spec("pycocoevalcap").submodule_search_locations
    with zipfile.ZipFile(Path(package) / "spice" / "spice-1.0.jar") as jar:
        annotations = json.loads(jar.read("coco/annotations/captions_val2014.json"))["annotations"]
    captions: dict[int, list[str]] = {}
    for annotation in annotations:
        captions.setdefault(annotation["image_id"], []).append(annotation["caption"])
    return [texts for _, texts in sorted(captions.items())]


@pytest.fixture(scope="module")
def flickr_captions(data_folder: Path) -> list[list[str]]:
    captions: dict[str, list[str]] = {}
    with gzip.open(data_folder / "flickr8k" / "Flickr8k.token.txt.gz", "rt") as file:
        for line in file:
            key, caption = line.rstrip("\n").split("\t")
            captions.setdefault(key.partition("#")[0], []).append(caption)
    return list(captions.values())


@pytest.fixture(scope="module")
def ask_peer(java: str) -> Iterator[Callable[[Rows], PeerScores]]:
    """The running program, which answers for each row by itself."""
    with open_peer(java) as ask:
        yield ask


def tokenize(rows: Rows) -> Rows:
    lines = iter(tokenize_captions([text for candidate, references in rows for text in (candidate, *references)]))
    return [(next(lines), [next(lines) for _ in references]) for _, references in rows]


def assert_equal_to_peer(ask_peer: Callable[[Rows], PeerScores], rows: Rows) -> None:
    peer = ask_peer(rows)
    ours = run_meteor(rows)

    assert ours.statistics is not None
    differing = np.flatnonzero((ours.statistics != clear_perfect_chunks(peer.statistics)).any(axis=1))
    assert [rows[row] for row in differing] == []
    assert ours.scores.values.tolist() == pytest.approx(peer.scores, abs=1e-9, rel=0)
    assert ours.corpus == pytest.approx(peer.corpus, abs=1e-9, rel=0)


def test_golden_alignment_cases(golden_folder: Path) -> None:
    cases = json.loads((golden_folder / "expected_meteor_alignment_cases.json").read_text())

    run = run_meteor([(case["candidate"], [case["reference"]]) for case in cases])

    expected = clear_perfect_chunks(np.array([case["sufficient_statistics"] for case in cases]))
    assert run.statistics.tolist() == expected.tolist()
    assert run.scores.values.tolist() == pytest.approx([case["score"] for case in cases], abs=1e-9, rel=0)


def test_golden_segments_and_corpus(golden_folder: Path) -> None:
    references: dict[int, list[str]] = {}
    for annotation in json.loads((golden_folder / "references.json").read_text())["annotations"]:
        references.setdefault(annotation["image_id"], []).append(annotation["caption"])
    candidates = json.loads((golden_folder / "candidates.json").read_text())
    expected = json.loads((golden_folder / "expected_meteor.json").read_text())

    run = run_meteor([(row["caption"], references[row["image_id"]]) for row in candidates], tokenizer="ptb")

    keys = [str(row["image_id"]) for row in candidates]
    statistics = np.array([expected["sufficient_statistics"][key] for key in keys])
    assert run.statistics.tolist() == clear_perfect_chunks(statistics).tolist()
    assert run.scores.values.tolist() == pytest.approx([expected["segments"][key] for key in keys], abs=1e-9, rel=0)
    assert run.corpus == pytest.approx(expected["corpus"], abs=1e-9, rel=0)


@pytest.mark.slow
def test_real_captions_equal_the_program(
    ask_peer: Callable[[Rows], PeerScores], coco_captions: list[list[str]], flickr_captions: list[list[str]]
) -> None:
    fifth = N_ROWS // 5
    rows = [(texts[0], texts[1:5]) for texts in coco_captions[: 3 * fifth]]
    rows += [(texts[0], texts[1:]) for texts in flickr_captions[:fifth]]
    # And captions of other images, which share little with the references.
    n_images = len(flickr_captions)
    rows += [(flickr_captions[(7 * row + 3) % n_images][2], flickr_captions[row]) for row in range(fifth)]

    assert_equal_to_peer(ask_peer, tokenize(rows))


@pytest.mark.slow
def test_odd_captions_equal_the_program(ask_peer: Callable[[Rows], PeerScores], coco_captions: list[list[str]]) -> None:
    rng = random.Random(N_ROWS)
    captions = [text for texts in coco_captions[:3_000] for text in texts]

    def make_caption() -> str:
        words = rng.choice(captions).split() + rng.choice([[], [], rng.choice(captions).split()])
        if rng.random() < 0.3:
            rng.shuffle(words)
        words = [word for word in words for _ in range(rng.choice([1, 1, 1, 2, 0]))]
        for _ in range(rng.choice([0, 0, 1, 3])):
            words.insert(rng.randint(0, len(words)), rng.choice(ODD_WORDS))
        # Some have no word, or one, or more than one machine word has bits.
        return " ".join(rng.choice([words] * 20 + [[], words[:1], words * 8]))

    rows = []
    for _ in range(N_ROWS):
        references = [make_caption() for _ in range(rng.randint(1, 3))]
        rows.append((rng.choice([make_caption(), " ".join(references[0].split()[:-2])]), references))
    assert_equal_to_peer(ask_peer, rows)


def test_scores_do_not_depend_on_other_rows(coco_captions: list[list[str]]) -> None:
    batch = make_batch([(texts[0], texts[1:5]) for texts in coco_captions[:3_000]])
    whole = np.array(score(batch))
    order = np.random.default_rng(1).permutation(len(batch))

    assert score(batch.select(order)) == whole[order].tolist()
    parts = [score(batch.select(rows)) for rows in np.array_split(order, [1, 3, 10, 100, 2_000])]
    assert np.concatenate(parts).tolist() == whole[order].tolist()
    assert [score(batch.select([row]))[0] for row in order[:20]] == whole[order[:20]].tolist()


ANY_TEXT = st.text(st.characters(), max_size=12)
WORDS = st.lists(st.sampled_from(["a", "dog", "dogs", "the", "c0", "sofa", "couch", "."]), max_size=12).map(" ".join)
ANY_ROWS = st.lists(st.tuples(ANY_TEXT | WORDS, st.lists(ANY_TEXT | WORDS, max_size=3)), min_size=1, max_size=4)


@given(rows=ANY_ROWS, seed=st.integers(0, 9))
@settings(deadline=None)
def test_any_text_stays_within_bounds_and_rows_stay_apart(rows: Rows, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(rows))
    whole = np.array(score(rows))  # raises BadScores out of bounds

    turned = [(rows[row][0], rows[row][1][::-1]) for row in order]
    assert np.array_equal(score(turned), whole[order], equal_nan=True)
    assert np.array_equal([score([row])[0] for row in rows], whole, equal_nan=True)


def test_row_without_references_has_no_score_and_does_not_count() -> None:
    run = run_meteor([("a dog", []), ("dogs run", ["dog run"])])

    assert math.isnan(run.scores.values[0])
    assert run.scores.values[1] == run.corpus == pytest.approx(0.8, abs=1e-15)


def test_best_reference_counts_and_of_equal_ones_the_first() -> None:
    run = run_meteor([("a dog", ["cat", "dog", "a dog", "a dog"]), ("zebra", ["x", "x y"])])

    assert run.statistics[:, 1].tolist() == [2.0, 1.0]
    assert run.scores.values.tolist() == [1.0, 0.0]


def test_corpus_counts_no_chunk_of_a_perfect_row() -> None:
    # Of 4 matched words on either side only those of the second row lie in chunks: 2 / 4 to the power .2.
    rows = [("a dog", ["a dog"]), ("dog a", ["a dog"])]

    assert run_meteor(rows).corpus == pytest.approx(1 - 0.6 * 0.5**0.2, abs=1e-12)


def test_signature() -> None:
    signature = run_meteor([("a", ["a"])], gamma=0.5).signature

    assert str(signature) == (
        "meteor|tok:blanks|alpha:0.85|beta:0.2|gamma:0.5|delta:0.75|exact:1|stem:0.6|synonym:0.8|paraphrase:0.6|v:1"
    )


def test_parameters_change_the_score() -> None:
    # Recall alone and no penalty: 1 of 2 words.
    assert score([("dog", ["dog cat"])], alpha=1.0, gamma=0.0) == [0.5]
    # Stages: the synonym counts a half of the one word.
    assert score([("sofa", ["couch"])], synonym=0.5, gamma=0.0) == [0.5]


@pytest.mark.parametrize(("name", "value"), [("alpha", 1.5), ("delta", -0.1), ("stem", 2.0), ("beta", -1.0)])
def test_weights_out_of_range_are_refused(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=rf"{name} of metric 'meteor' must be .*, got {value}"):
        run_meteor([("a", ["a"])], **{name: value})
