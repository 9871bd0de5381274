import pytest

from metrics_plugins.probes.templated.nouns import add_article, count_noun, is_plural, make_plural


@pytest.mark.parametrize(
    ("noun", "expected"),
    [
        ("dog", "a dog"),
        ("apple", "an apple"),
        ("umbrella", "an umbrella"),
        ("unicycle", "a unicycle"),
        ("uniform", "a uniform"),
        ("utensil", "a utensil"),
        ("hour", "an hour"),
        ("horse", "a horse"),
        ("one-way sign", "a one-way sign"),
        ("orange", "an orange"),
        ("Umbrella", "an Umbrella"),
        ("scissors", "scissors"),
        ("people", "people"),
    ],
)
def test_articles(noun, expected):
    assert add_article(noun) == expected


@pytest.mark.parametrize(
    ("noun", "expected"),
    [
        ("dog", "dogs"),
        ("bus", "buses"),
        ("couch", "couches"),
        ("toothbrush", "toothbrushes"),
        ("box", "boxes"),
        ("puppy", "puppies"),
        ("boy", "boys"),
        ("knife", "knives"),
        ("giraffe", "giraffes"),
        ("fireman", "firemen"),
        ("human", "humans"),
        ("sheep", "sheep"),
        ("teddy bear", "teddy bears"),
        ("cell phone", "cell phones"),
        ("skis", "skis"),
        ("men", "men"),
    ],
)
def test_plurals(noun, expected):
    assert make_plural(noun) == expected


def test_plurals_are_known():
    assert [is_plural(noun) for noun in ("pair of scissors", "children", "sheep", "glass", "bus")] == [
        True,
        True,
        False,
        False,
        False,
    ]


@pytest.mark.parametrize(("n", "expected"), [(2, "two dogs"), (10, "ten dogs"), (11, "many dogs")])
def test_numbers(n, expected):
    assert count_noun("dog", n) == expected
