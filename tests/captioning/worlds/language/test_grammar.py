"""Tests of parsing and realisation: samples, every kind of proposition, and errors."""

import logging
from pathlib import Path

import lark
import pytest
from hypothesis import given, settings

from captioning.worlds.errors import NotGrammatical, NotRealisable
from captioning.worlds.language import (
    is_grammatical,
    load_grammar,
    parse_caption,
    realise_caption,
    tokenize_sentence,
    write_sentence,
)
from captioning.worlds.language.constructions import CONSTRUCTIONS
from captioning.worlds.language.propositions import (
    Compared,
    Connected,
    Denied,
    Describes,
    Extended,
    Is,
    Noun,
    Proposition,
    Quantified,
    Related,
    Selected,
    ThereIs,
    strip_form,
)
from tests.captioning.worlds.samples import SETS, read_sample
from tests.captioning.worlds.strategies import make_propositions

RED = Is(Noun("red"), adjective=True)
SQUARE, CIRCLE = Noun(shape="square"), Noun(shape="circle")

# Sentences of the original's language, most of them of kinds that the samples lack, and what they say.
SENTENCES: list[tuple[str, Proposition]] = [
    ("there is an ellipse .", ThereIs(Noun(shape="ellipse"))),
    ("a shape is a red ellipse .", Describes(Noun(), Is(Noun("red", "ellipse")))),
    ("a square is not red .", parse_caption("a square is not red .")),
    (
        "a red shape is closer to the circle than a square .",
        Describes(Noun("red"), Related("proximity", -1, CIRCLE, SQUARE, "reference")),
    ),
    (
        "a red shape is farther from a circle than the square .",
        Describes(Noun("red"), Related("proximity", 1, CIRCLE, SQUARE, "comparison")),
    ),
    (
        "a square is a different shape from a circle .",
        Describes(SQUARE, Related("shape", -1, CIRCLE)),
    ),
    ("a square exists besides a circle .", Describes(SQUARE, Related("unspecific", 1, CIRCLE))),
    ("the leftmost red square is red .", Describes(Selected("x", False, -1, Noun("red", "square")), RED)),
    ("the red bigger square is red .", Describes(Selected("size", True, 1, Noun("red", "square"), inside=True), RED)),
    (
        "the closest square to the circle is red .",
        Describes(Selected("proximity", False, -1, SQUARE, CIRCLE, True), RED),
    ),
    ("the square farther from the circle is red .", Describes(Selected("proximity", True, 1, SQUARE, CIRCLE), RED)),
    ("less than two thirds of the squares are red .", Quantified("ratio", "lt", 0.67, SQUARE, RED)),
    ("a third of the squares is red .", Quantified("ratio", "eq", 0.33, SQUARE, RED, bare=True, singular_verb=True)),
    ("at least no square is red .", Quantified("ratio", "geq", 0.0, SQUARE, RED)),
    ("more than all squares are red .", Quantified("ratio", "gt", 1.0, SQUARE, RED)),
    ("most squares are red .", Quantified("ratio", "gt", 0.5, SQUARE, RED, bare=True)),
    ("exactly two of the six squares are red .", Quantified("count", "eq", 2, SQUARE, RED, bound=6)),
    ("not one of the eight squares is red .", Quantified("count", "neq", 1, SQUARE, RED, bound=8)),
    ("half the three squares are red .", Quantified("ratio", "eq", 0.5, SQUARE, RED, bound=3, bare=True)),
    ("all the two squares are red .", Quantified("ratio", "eq", 1.0, SQUARE, RED, bound=2, bare=True)),
    ("none of the four squares is red .", Quantified("ratio", "eq", 0.0, SQUARE, RED, bound=4, bare=True)),
    ("as many squares as circles are red .", Compared("ratio", "eq", 1.0, SQUARE, CIRCLE, RED)),
    ("more squares than circles are red .", Compared("ratio", "gt", 1.0, SQUARE, CIRCLE, RED)),
    (
        "less than half as many squares as circles are red .",
        Compared("ratio", "lt", 0.5, SQUARE, CIRCLE, RED, bare=False),
    ),
    ("twice as many squares as circles are red .", Compared("ratio", "eq", 2.0, SQUARE, CIRCLE, RED)),
    ("one less square than circles is red .", Compared("count", "eq", -1, SQUARE, CIRCLE, RED)),
    ("five more squares than circles are red .", Compared("count", "eq", 5, SQUARE, CIRCLE, RED)),
    (
        "if there is a square there is a circle .",
        Connected("if", (ThereIs(CIRCLE), ThereIs(SQUARE)), "if first"),
    ),
    ("there is a circle if there is a square .", Connected("if", (ThereIs(CIRCLE), ThereIs(SQUARE)))),
    ("either there is a square or there is a circle .", Connected("or", (ThereIs(SQUARE), ThereIs(CIRCLE)), "either")),
    # Beyond the original: relative clauses, compound sentences, coreference.
    (
        "there is a square that is above a circle .",
        ThereIs(Noun(None, "square", Related("y", -1, CIRCLE))),
    ),
    ("it is not the case that there is a square .", Denied(ThereIs(SQUARE))),
    ("a square is red and is above a circle .", Extended(Describes(SQUARE, RED), Related("y", -1, CIRCLE))),
    ("there is a square and it is red .", Extended(ThereIs(SQUARE), RED, pronoun=True)),
]


@pytest.mark.parametrize(("text", "proposition"), SENTENCES, ids=[text for text, _ in SENTENCES])
def test_sentence_says_what_it_should_and_is_realised(text: str, proposition: Proposition) -> None:
    assert parse_caption(text) == proposition
    assert realise_caption(proposition) == text


@pytest.mark.parametrize("name", SETS)
def test_published_captions_are_parsed_and_realised_unchanged(name: str, data_folder: Path) -> None:
    captions = [caption for group in read_sample(data_folder, name).captions for caption in group]

    assert len(captions) == 100
    assert [realise_caption(parse_caption(caption)) for caption in captions] == captions


@settings(max_examples=400, deadline=None)
@given(make_propositions())
def test_what_is_said_is_read_back(proposition: Proposition) -> None:
    assert parse_caption(realise_caption(proposition)) == proposition


def _list_conflicts(text: str, caplog: pytest.LogCaptureFixture) -> list[str]:
    caplog.clear()
    with caplog.at_level(logging.DEBUG, logger=lark.logger.name):
        lark.Lark(text, parser="lalr", start="sentence", lexer="basic", debug=True)
    return [record.getMessage() for record in caplog.records if "conflict" in record.getMessage()]


def test_grammar_has_no_conflict_so_that_each_caption_has_one_reading(caplog: pytest.LogCaptureFixture) -> None:
    grammar = (Path(__file__).parents[4] / "captioning/worlds/language/captions.lark").read_text()
    but = '| simple "but" simple '

    assert _list_conflicts(grammar, caplog) == []
    assert _list_conflicts(grammar.replace(but, f'| simple "and" simple -> and\n    {but}'), caplog) != []


def test_every_alternative_with_a_name_has_a_meaning_and_no_meaning_is_left_over() -> None:
    grammar = load_grammar()
    used = {each.construction for alternatives in grammar.alternatives.values() for each in alternatives}

    assert [name for name, construction in CONSTRUCTIONS.items() if construction not in used] == []


@pytest.mark.parametrize(
    ("text", "position", "word", "some_expected", "message"),
    [
        (
            "a shape is a ellipse .",
            4,
            "ellipse",
            {"square", "red", "different"},
            "word 5, 'ellipse', cannot stand after",
        ),
        ("a shape is", 3, "", {"red", "above", "not"}, "the caption ends too early after 'a shape is'"),
        ("", 0, "", {"there", "a", "exactly"}, "the caption ends too early at the beginning"),
        ("a dog is red .", 1, "dog", {"shape", "red", "third"}, "'dog', which is no word of the language"),
        ("exactly one squares are red .", 2, "squares", {"square", "shape", "of"}, "cannot stand after 'exactly one'"),
        ("there is a square . .", 5, ".", set(), "could stand there: nothing"),
    ],
)
def test_error_names_the_word_and_what_could_follow(text, position, word, some_expected, message) -> None:
    with pytest.raises(NotGrammatical) as caught:
        parse_caption(text)

    assert (caught.value.position, caught.value.word) == (position, word)
    assert some_expected <= set(caught.value.expected)
    assert message in str(caught.value)


def test_each_expected_word_can_really_stand_there() -> None:
    with pytest.raises(NotGrammatical) as caught:
        parse_caption("a red square is")

    for word in caught.value.expected:
        with pytest.raises(NotGrammatical) as further:
            parse_caption(f"a red square is {word} nonsense")
        assert further.value.position == 5


@pytest.mark.parametrize(
    "text",
    [
        "there is a square and is red .",
        "exactly two squares are red and it is above a circle .",
        "a square is .",
        "an square is red .",
        "exactly six shapes are red .",
        "a third of the squares is above a circle .",
    ],
)
def test_not_grammatical(text: str) -> None:
    assert not is_grammatical(text)


def test_unsayable_proposition_is_refused() -> None:
    nested = Connected("and", (Connected("or", (ThereIs(SQUARE), ThereIs(CIRCLE))), ThereIs(SQUARE)))

    with pytest.raises(NotRealisable, match="no sentence of the language says Connected"):
        realise_caption(nested)


def test_wordings_of_one_meaning_are_equal_without_form_fields() -> None:
    plain, wordy = (
        strip_form(parse_caption(text))
        for text in ("there is a cross or a square is red .", "either there is a cross or a square is a red shape .")
    )

    assert plain == wordy
    assert plain != strip_form(parse_caption("there is a cross or a square is a blue shape ."))


def test_sentences_and_tokens() -> None:
    assert tokenize_sentence("A shape is red.") == "a shape is red ."
    assert write_sentence("a shape is red .") == "A shape is red."
    assert tokenize_sentence("a shape is red .") == "a shape is red ."
