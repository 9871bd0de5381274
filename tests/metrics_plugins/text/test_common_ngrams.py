from metrics_plugins.text.common_ngrams import mark_common


def runs(words, *others, **extra):
    return [word.run for word in mark_common(words.split(), [other.split() for other in others], **extra)]


def test_words_stand_in_the_longest_run_that_a_reference_has():
    assert runs("a red dog runs fast", "the red dog runs", "a cat") == [1, 3, 3, 3, 0]


def test_runs_are_not_longer_than_asked_for():
    assert runs("a b c d e f", "a b c d e f") == [4] * 6
    assert runs("a b c", "a b c", longest=2) == [2, 2, 2]


def test_common_ngrams_do_not_span_two_references():
    assert runs("red dog", "a red", "dog runs") == [1, 1]


def test_empty_texts_share_no_ngrams():
    assert (runs("", "a"), runs("a b")) == ([], [0, 0])
