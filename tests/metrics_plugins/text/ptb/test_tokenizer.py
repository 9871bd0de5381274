"""Tests of the tokeniser against the program that it replaces, on all available captions and on random ones."""

import gzip
import json
import random
import re
import subprocess
import zipfile
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics_plugins.text.ptb.rules import NOT_PLAIN
from metrics_plugins.text.ptb.tokenizer import find_plain_word, tokenize_captions, tokenize_raw
from tests.parts import QUICK_JAVA

REMOVED = ["''", "'", "``", "`", "-LRB-", "-RRB-", "-LCB-", "-RCB-", ".", "?", "!", ",", ":", "-", "--", "...", ";"]
LINE_BREAKS = ["\n", "\r", "\r\n", "\x0b", "\x0c", "\u2028", "\u2029"]

# Words, signs and numbers whose tokens depend on each other, or that only a rule of their own explains.
_FRAGMENTS_TEXT = (
    "' '' \" ` \u2019 \u201c \u201d \xab ... .. . , ; : ! ?! - -- --- \u2014 _ / \\ | & &amp; &lt; &nbsp; "
    "&eacute; # @ * + = ~ ^ % $ \xa3 \u20ac ( ) [ } < > <b> </b> <br/> 's 'S 'll n't N'T 'em 'n 'n' 'til 'tis "
    "'cause o'clock O'Brien l'amour ma'am y'all ol' j' cannot gonna Gotta lemme more'n dunkin' c'mon '90s "
    "90's 1980s 3 1/2 12 345 6789 (555) 555-1234 +1 5:30 10:30pm 1,000.50 $5 US$ 50% 5' 6\" 1st #1 No. nos. "
    "p. fig. Mr. St. U.S. u.s. D.C. Ph.D. p.m. e.g. etc. Inc. Co. Jan. v. A. x. I. The A Mr He "
    "http://a.b/c?d=e www.a.com www.foo.org/bar a.com foo.net/x a@b.com <a@b.c> @user #tag :) :-D =( ^_^ <3 "
    "AT&T M&Ms C++ T-shirt 20-year-old anti- and/or w/o 24/7 12/25/2013 \xbd \xe9 na\xefve \u4e2d\u6587 "
    "\u0627 \u0301 \xad \u200b \xa0 \u2003 \U0001f600 \xb2 \u2122 \xb0 \u2026 \u2039 \u0663 \u0130 \x85 \x92 "
    "\u2010 a.txt 2.jpg"
)
FRAGMENTS = _FRAGMENTS_TEXT.split(" ")

Reference = Callable[[Sequence[str]], list[str]]


@pytest.fixture(scope="module")
def reference(java: str, tmp_path_factory: pytest.TempPathFactory) -> Reference:
    """The reference tokeniser, one line a caption with the punctuation removed as pycocoevalcap 1.2 does it."""
    jar = _find_coco_evaluation() / "tokenizer" / "stanford-corenlp-3.4.1.jar"
    captions_file = tmp_path_factory.mktemp("ptb") / "captions.txt"

    def run(captions: Sequence[str]) -> list[str]:
        captions_file.write_bytes("\n".join(captions).encode())
        command = [
            java,
            *QUICK_JAVA,
            "-cp",
            jar,
            "edu.stanford.nlp.process.PTBTokenizer",
            "-preserveLines",
            "-lowerCase",
            captions_file,
        ]
        lines = subprocess.run(command, check=True, capture_output=True).stdout.decode().split("\n")
        return [" ".join(token for token in line.rstrip(" ").split(" ") if token not in REMOVED) for line in lines][
            : len(captions)
        ]

    return run


def _find_coco_evaluation() -> Path:
    package = find_spec("pycocoevalcap")
    assert package is not None
    assert package.submodule_search_locations is not None
    return Path(package.submodule_search_locations[0])


def _find_differences(
    captions: Sequence[str], expected: Sequence[str], *, ours: Sequence[str] | None = None
) -> list[tuple[str, str, str]]:
    """Return caption, reference and our tokens where they differ; `ours` if they are known already."""
    assert len(captions) == len(expected)
    rows = zip(captions, expected, tokenize_captions(captions) if ours is None else ours, strict=True)
    return [(caption, theirs, own) for caption, theirs, own in rows if theirs != own]


def _tokenize_apart(reference: Reference, captions: Sequence[str]) -> list[str]:
    """Run the reference with a line between captions, which keeps it from looking into the next one."""
    return reference([line for caption in captions for line in (caption, "A line")])[::2]


def _read_flickr8k(data_folder: Path) -> list[str]:
    with gzip.open(data_folder / "flickr8k" / "Flickr8k.token.txt.gz", "rt", encoding="utf-8", newline="\n") as lines:
        return [line.rstrip("\n").split("\t", maxsplit=1)[1] for line in lines]


def _read_pascal50s(data_folder: Path) -> list[str]:
    from scipy.io import loadmat

    images = loadmat(data_folder / "pascal50s" / "pascal50S.mat", squeeze_me=True)["refs"]
    captions = [str(sentence) for image in images for sentence in image["sent"]]
    for system in "BC":
        with gzip.open(data_folder / "pascal50s" / f"pascal_cands{system}.json.gz", "rt", encoding="utf-8") as text:
            captions += [row["caption"] for row in json.load(text)]
    return captions


def _read_coco() -> list[str]:
    captions = []
    with zipfile.ZipFile(_find_coco_evaluation() / "spice" / "spice-1.0.jar") as jar:
        for split in ("train", "val"):
            annotations = json.loads(jar.read(f"coco/annotations/captions_{split}2014.json"))["annotations"]
            captions += [annotation["caption"] for annotation in annotations]
    return [re.sub("[\n\r\x0b\x0c\u2028\u2029]", " ", caption) for caption in captions]


def test_golden_cases(golden_folder: Path) -> None:
    cases = json.loads((golden_folder / "expected_tokenizer_cases.json").read_text(encoding="utf-8"))
    captions = [case["input"] for case in cases]
    assert [tokenize_raw(caption) for caption in captions] == [
        case["ptb_line"].rstrip(" ").split(" ") if case["ptb_line"] else [] for case in cases
    ]
    assert tokenize_captions(captions) == [" ".join(case["tokens"]) for case in cases]


def test_golden_captions(golden_folder: Path) -> None:
    expected = json.loads((golden_folder / "expected_tokens.json").read_text(encoding="utf-8"))
    raw = expected["ptb_lines_before_punctuation_removal"]
    references = json.loads((golden_folder / "references.json").read_text(encoding="utf-8"))["annotations"]
    captions: dict[str, list[str]] = {}
    for annotation in references:
        captions.setdefault(str(annotation["image_id"]), []).append(annotation["caption"])
    assert {image: tokenize_captions(rows) for image, rows in captions.items()} == expected["references"]
    assert {image: [" ".join(tokenize_raw(row)) for row in rows] for image, rows in captions.items()} == {
        image: [line.rstrip(" ") for line in lines] for image, lines in raw["references"].items()
    }
    candidates = json.loads((golden_folder / "candidates.json").read_text(encoding="utf-8"))
    lines = tokenize_captions([row["caption"] for row in candidates])
    assert {str(row["image_id"]): line for row, line in zip(candidates, lines, strict=True)} == expected["candidates"]


def test_every_flickr8k_caption(reference: Reference, data_folder: Path) -> None:
    captions = _read_flickr8k(data_folder)
    assert len(captions) == 40_460
    assert _find_differences(captions, reference(captions)) == []


def test_every_pascal50s_sentence(reference: Reference, data_folder: Path) -> None:
    captions = _read_pascal50s(data_folder)
    assert len(captions) == 58_000
    assert _find_differences(captions, reference(captions)) == []


@pytest.mark.slow
def test_every_coco_caption(reference: Reference) -> None:
    captions = _read_coco()
    ours = tokenize_captions(captions)
    assert len(captions) == 616_767
    assert _find_differences(captions, _tokenize_apart(reference, captions), ours=ours) == []
    # Run together, the reference lets the next caption decide whether "model T." keeps its full stop.
    ends = [caption.split()[-1] for caption, _, _ in _find_differences(captions, reference(captions), ours=ours)]
    assert sorted(ends) == ["S.", "S.", "T.", "T.", "V."]


def test_random_captions(reference: Reference, data_folder: Path) -> None:
    rng = random.Random(0)
    captions = rng.sample(_read_flickr8k(data_folder), k=20_000)
    mutated = [_mutate(caption, rng=rng) for caption in captions[:10_000]]
    mutated += ["".join(_draw_fragments(rng)) for _ in range(10_000)]
    assert _find_differences(mutated, _tokenize_apart(reference, mutated)) == []


def _draw_fragments(rng: random.Random) -> list[str]:
    return [
        rng.choice(FRAGMENTS) + rng.choice(["", " ", "", "a", "dog", "X", "1", "."]) for _ in range(rng.randint(1, 7))
    ]


def _mutate(caption: str, *, rng: random.Random) -> str:
    separator = rng.choice(["", " "])
    parts = list(caption) if separator == "" else caption.split(" ")
    for _ in range(rng.randint(1, 6)):
        place = rng.randrange(len(parts))
        parts[place : place + rng.randint(0, 1)] = [rng.choice([rng.choice(FRAGMENTS), parts[place].capitalize()])]
    return separator.join(parts)


@pytest.mark.parametrize("line_break", LINE_BREAKS, ids=ascii)
def test_line_breaks_move_no_caption(line_break: str) -> None:
    captions = [f"a dog{line_break}runs", f"{line_break}two", f"three{line_break}", line_break, "the end"]
    assert tokenize_captions(captions) == ["a dog runs", "two", "three", "", "the end"]


# Expected: the reference, each caption followed by the line "A line".
@pytest.mark.parametrize(
    ("caption", "tokens"),
    [
        ("", ""),
        ("...", ""),
        ("3 1/2 cups and 1/2", "3\xa01/2 cups and 1/2"),
        ("call (555) 555-1234 now", "call -lrb-555-rrb-\xa0555-1234 now"),
        ("No. 5 says no.", "no. 5 says no"),
        ("a Model T. The car", "a model t the car"),
        ("M. Smith", "m. smith"),
        ('<a href="x y">dog</a>', '<a\xa0href="x\xa0y"> dog </a>'),
        ("rock 'n' roll and c'mon", "rock 'n' roll and c'mon"),
        ("can't won't cannot", "ca n't wo n't can not"),
        ("STOP! at 5p.m. x", "stop at 5p m. x"),
    ],
)
def test_tokens(caption: str, tokens: str) -> None:
    assert tokenize_captions([caption]) == [tokens]


CONTEXT = st.lists(st.sampled_from(FRAGMENTS), max_size=12).map(" ".join)


@given(captions=st.lists(st.one_of(st.text(), st.text(st.characters()), CONTEXT), max_size=6))
def test_any_text(captions: list[str]) -> None:
    lines = tokenize_captions(captions)
    assert lines == [line for caption in captions for line in tokenize_captions([caption])]
    assert lines == [" ".join(token for token in tokenize_raw(caption) if token not in REMOVED) for caption in captions]
    for line in lines:
        assert re.search("[\n\r\x0b\x0c\u2028\u2029]|  |^ | $", line) is None


ODD_WORDS = st.sampled_from(sorted(NOT_PLAIN)) | st.sampled_from(["the", "no", "us", "etc", "gimme", "inch", "cannots"])
NEARLY_ODD = st.tuples(st.sampled_from(["", "a", "U"]), ODD_WORDS, st.sampled_from(["", "s", "not"])).map("".join)
PLAIN = (
    st.text("abcdnotTVMS", min_size=1, max_size=6) | NEARLY_ODD | NEARLY_ODD.map(str.upper) | NEARLY_ODD.map(str.title)
)


@given(word=PLAIN, end=st.sampled_from(["", ".", ",", "..", "!", "\u017f"]))
def test_plain_words_are_what_the_rules_make_of_them(word: str, end: str) -> None:
    found = find_plain_word(word + end)

    kept = [token for token in tokenize_raw(word + end) if token not in REMOVED]
    assert found is None or [found.lower()] == kept
    is_odd = len(word) == 1 or word.lower() in NOT_PLAIN or not word.isalpha() or end not in ("", ".", ",")
    assert (found is None) == is_odd


@pytest.mark.parametrize("caption", ["dogs", "Dogs,", "DOGS."])
def test_plain_words_are_found(caption: str) -> None:
    assert find_plain_word(caption).lower() == "dogs"
