"""Tests of counting words in any script and of texts that are no sentence, in Python and in the browser's script."""

import gzip
import json
from pathlib import Path

import pytest
from playwright.sync_api import Page

from annotation_ui.kinds.caption_rules import Strictness, list_broken, list_rules
from annotation_ui.kinds.caption_words import COUNTING, LONG_ENOUGH, count_words, is_noise
from studies.shared.text import normalize_space

SCRIPT = Path(__file__).resolve().parents[3] / "annotation_ui/static/annotation_ui/writing.js"
LONG = [
    "一只棕色的狗在树林里跳过一根倒下的木头",
    "一个男人和一个女人坐在公园的长椅上",
    "两个孩子在沙滩上踢足球、天空很蓝。",
    "茶色の犬が森の中で倒れた丸太を飛び越えている",
    "สุนัขสีน้ำตาลกระโดดข้ามท่อนไม้ที่ล้มอยู่ในป่า",
    "一只狗 jumping over a fallen log in woods",
    "갈색 개 한 마리가 숲 속에서 쓰러진 통나무를 뛰어넘는다",
    "A brown dog leaps over a fallen log in the woods",
]
SHORT = ["一只狗", "棕色的狗跳过木头", "犬が走る", "สุนัขกระโดด", "A dog leaps", "。、。、。《》「」。、。", ""]
NOISE = [
    "asdf " * 9,
    "asdf qwer zxcv asdf qwer zxcv asdf qwer",
    "asdf sdfg dfgh fghj ghjk hjkl qwer wert",
    "dog dog dog dog dog dog dog dog dog",
    "dog cat dog cat dog cat dog cat",
    "aaaa bbbb cccc dddd eeee ffff gggg hhhh",
    "asdfasdf jkljkl dogs asdfasdf lolololo hjkhjk xcvbxcvb the",
    "sdkfj hgkdl qwrtp zxcvb mnbvc plkjh dfgrt wrtzp",
    "狗" * 12,
    "哈哈哈哈哈哈哈哈哈哈哈哈",
    "狗猫" * 8,
]
SENSE = [
    "A man and a woman and a dog and a cat and a bird",
    "A dog chases a dog that chases a dog in a park",
    "A laptop with a QWERTY keyboard on a desk by a TV",
    "The NYPD and the FBI stand by a BMW at the ATM",
    "Strč prst skrz krk, říká muž v parku u stromu",
    "一个男人和一个女人和一个孩子在一个公园里",
]


@pytest.mark.parametrize("caption", LONG)
def test_captions_of_the_same_content_are_long_enough_in_every_script(caption: str) -> None:
    assert count_words(caption) >= 8
    assert list_broken(caption, Strictness.BLOCKS) == ()


@pytest.mark.parametrize("caption", SHORT, ids=ascii)
def test_short_captions_are_short_in_every_script(caption: str) -> None:
    assert count_words(caption) < 8


@pytest.mark.parametrize(
    ("letters", "least"), [("木", 12), ("の", 16), ("ก", 20), ("ກ", 20), ("က", 20), ("ក", 20)], ids=ascii
)
def test_eight_words_are_as_many_letters_as_the_page_says(letters: str, least: int) -> None:
    assert (count_words(letters * (least - 1)), count_words(letters * least)) == (7, 8)
    reason = next(str(rule.reason) for rule in list_rules("") if rule.name == "eight-words")
    assert str(least) in reason


@pytest.mark.parametrize("caption", NOISE)
def test_noise_is_no_sentence(caption: str) -> None:
    assert is_noise(normalize_space(caption))


@pytest.mark.parametrize("caption", [*SENSE, *LONG])
def test_sentences_are_no_noise(caption: str) -> None:
    assert not is_noise(caption)


def test_hints_for_english_words_are_given_in_english_only() -> None:
    german = "Ein Hund war im Wald und will über den Baum springen"

    assert [rule.name for rule in list_broken(german, Strictness.WARNS, language="de")] == []
    assert [rule.name for rule in list_broken(german, Strictness.WARNS, language="en")] == ["past-or-future", "names"]
    assert list_broken(german, Strictness.WARNS) == list_broken(german, Strictness.WARNS, language="en-gb")
    assert [rule.name for rule in list_broken("Ein Hund", Strictness.BLOCKS, language="de")] == ["eight-words"]


def test_captions_of_people_are_not_refused_as_noise(data_folder: Path) -> None:
    with gzip.open(data_folder / "flickr8k/Flickr8k.token.txt.gz", "rt") as file:
        captions = [normalize_space(line.partition("\t")[2]) for line in file]
    with gzip.open(data_folder / "coco/example_input.json.gz", "rt") as file:
        captions += [normalize_space(text) for text in _list_texts(json.load(file))]

    assert len(captions) > 40_000
    noise = [caption for caption in captions if is_noise(caption)]
    # A network repeats itself in two: "pink pink pink ...", "hair hair hair ...".
    assert [caption for caption in noise if " pink pink " not in caption and " hair hair " not in caption] == []


@pytest.mark.browser
def test_browser_counts_as_python_does(page: Page) -> None:
    texts = [normalize_space(text) for text in [*LONG, *SHORT, *NOISE, *SENSE, "𠀀" * 12, "İstanbul ß ﬁ A4纸 2只狗"]]
    page.add_script_tag(content=SCRIPT.read_text())

    found = page.evaluate(
        "([texts, table]) => texts.map((text) => [countWords(text, table), isNoise(text, table)])", [texts, COUNTING]
    )

    assert found == [[count_words(text), is_noise(text)] for text in texts]
    assert LONG_ENOUGH == 6


def _list_texts(found: object) -> list[str]:
    if isinstance(found, str):
        return [found] if found.count(" ") >= 4 else []
    parts = found.values() if isinstance(found, dict) else found if isinstance(found, list) else []
    return [text for part in parts for text in _list_texts(part)]
