"""Tests of folders of heads: complete, missing, damaged or of another version."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.api.errors import MissingResource
from metrics_plugins.metrics.critics.reference.heads import BUNDLED, Head, digest_captions
from tests.metrics_plugins.metrics.critics.reference.tiny import learn


@pytest.fixture(scope="module")
def head() -> Head:
    return learn()


@pytest.fixture
def folder(head: Head, tmp_path: Path) -> Path:
    head.write(tmp_path)
    return tmp_path


def change_card(folder: Path, **fields: object) -> None:
    card = json.loads((folder / "head.json").read_text())
    (folder / "head.json").write_text(json.dumps(card | fields))


def test_written_head_comes_back(head: Head, folder: Path) -> None:
    found = Head.read(folder)

    assert (found.settings, found.encoder, found.made_of) == (head.settings, head.encoder, head.made_of)
    for space in ("sentences", "tokens"):
        for part in ("center", "directions"):
            written, read = (getattr(getattr(each, space), part) for each in (head, found))
            assert (read.dtype, read.tobytes()) == (written.dtype, written.tobytes())
    for part in ("ids", "expected", "rarity"):
        np.testing.assert_array_equal(getattr(found.vocabulary, part), getattr(head.vocabulary, part))
    assert found.learned.tolist() == head.learned.tolist()
    assert found.spreads.tolist() == head.spreads.tolist()
    assert found.digest == head.digest


def test_digest_tells_heads_apart(head: Head) -> None:
    others = [
        replace(head, encoder="another"),
        replace(head, settings=replace(head.settings, best=0.75)),
        replace(head, tokens=head.sentences),
    ]

    assert len({head.digest, *(other.digest for other in others)}) == 4
    assert replace(head, made_of={}).digest == head.digest


def test_shares_count_each_part_by_its_spread(head: Head) -> None:
    settings = replace(
        head.settings, cosine=1, best=0.5, precision=-0.5, recall=1, support=0, content=0.5, rare_precision=0
    )
    found = replace(head, settings=settings, spreads=np.array([0.1, 0.1, 0.2, 0.4, 1, 2, 1])).shares

    expected = np.array([10.0, 5.0, -2.5, 2.5, 0.0, 0.25, 0.0]) / 20.25
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_missing_head_says_how_to_get_one(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(MissingResource, match=r"elsewhere holds no head: .*`python -m metrics_plugins fit` makes one"):
        Head.read(tmp_path / "elsewhere")
    (folder / "head.safetensors").unlink()
    with pytest.raises(MissingResource, match=r"head.safetensors is not there"):
        Head.read(folder)


def test_damaged_numbers_are_refused(folder: Path) -> None:
    content = (folder / "head.safetensors").read_bytes()
    (folder / "head.safetensors").write_bytes(content[:-1] + bytes([content[-1] ^ 1]))

    with pytest.raises(MetricError, match=r"head.safetensors: is damaged: its content is not what was written"):
        Head.read(folder)


def test_damaged_card_is_refused(folder: Path) -> None:
    change_card(folder, format="accordance critic-reference 3")
    with pytest.raises(MetricError, match=r"must be of the format 'accordance critic-reference 4', got '.* 3'"):
        Head.read(folder)
    (folder / "head.json").write_text('{"format": "accordance critic-reference 4"}')
    with pytest.raises(MetricError, match=r"is damaged: it lacks encoder, made_of, settings, spreads, tensors"):
        Head.read(folder)
    (folder / "head.json").write_text("{")
    with pytest.raises(MetricError, match=r"head.json: is damaged: it must be JSON"):
        Head.read(folder)


def test_settings_of_another_version_are_refused(folder: Path) -> None:
    change_card(folder, settings={"depth": 3})

    with pytest.raises(MetricError, match="settings of another version: depth are not known"):
        Head.read(folder)


def test_captions_are_known_whatever_their_case_and_spaces() -> None:
    first, second, third = digest_captions(["A dog  runs ", "a DOG runs", "a dog ran"]).tolist()

    assert first == second != third
    assert digest_captions(["\ud800"]).dtype == np.uint64


def test_bundled_head_is_small_and_whole() -> None:
    assert sum(path.stat().st_size for path in BUNDLED.iterdir()) < 4_000_000
    assert Head.read(BUNDLED).made_of["n_images"] > 1000
