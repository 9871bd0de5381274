import pytest

from studies.shared.own_captions import OwnCaptions, count_own_captions

REFERENCES = ("A dog runs over the green grass.", "a cat")


@pytest.mark.parametrize(
    ("captions", "seen", "counts"),
    [
        # exact, normalised, left, similar
        (("A dog  runs over the green grass.",), REFERENCES, (1, 0, 1, 0)),
        (("a dog runs over the green grass .",), REFERENCES, (0, 1, 1, 0)),
        (("a dog runs over the green grass .",), REFERENCES[1:], (0, 1, 0, 0)),
        # 25 letters against 24: 2 * 24 / 49 = 0.98 of them are common; one letter of "acat" is more than a twentieth.
        (("a dogs runs over the green grass",), REFERENCES, (0, 0, 0, 1)),
        (("a cut",), REFERENCES, (0, 0, 0, 0)),
        # Of a caption set, any caption counts.
        (("a bird", "A cat"), REFERENCES, (0, 1, 1, 0)),
        (("a bird",), (), (0, 0, 0, 0)),
    ],
)
def test_captions_are_counted(captions, seen, counts):
    assert count_own_captions([captions], all_references=[REFERENCES], seen=[seen]) == OwnCaptions(1, *counts)


def test_notes_say_what_was_found_and_warn_of_what_is_left():
    own = OwnCaptions(n_rows=1428, n_exact=26, n_normalized=450, n_left=476, n_similar=2)

    found, left, similar = own.list_notes()
    assert found == (
        "476 of 1,428 captions are references of their image (26 exactly, 450 after normalising case, blanks and "
        "punctuation)"
    )
    assert left.startswith("warning: 476 captions are compared with themselves")
    assert similar.startswith("warning: 2 captions have 95% or more of their letters in common")
    assert own.list_notes(are_dropped=True) == (found, similar)
    assert OwnCaptions(n_rows=9, n_exact=0, n_normalized=0, n_left=0, n_similar=0).list_notes() == ()
