"""Tests of the settings of decoding and of the text in which they are written."""

import pytest

from captioning.api import CaptionerError, Decoding


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("greedy", Decoding()),
        ("beam,beam_size=3", Decoding(method="beam", beam_size=3)),
        ("sample, temperature=0.7, top_k=10", Decoding(method="sample", temperature=0.7, top_k=10)),
        ("diverse-beam,beam_size=6,groups=3", Decoding(method="diverse-beam", beam_size=6, groups=3)),
    ],
)
def test_written_settings_are_read_back(text, wanted):
    assert Decoding.parse(text) == wanted
    assert Decoding.parse(str(wanted)) == wanted


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("widest", "`method` of decoding must be one of greedy, beam, sample, diverse-beam, got 'widest'"),
        ("beam,width=3", r"no setting 'width' \(it has: max_words, beam_size, groups"),
        ("beam,beam_size=three", "`beam_size` of decoding must be of type int, got 'three'"),
        ("beam,beam_size=0", "`beam_size` of decoding must be from 1 to 1000, got 0"),
        ("beam,beam_size=10000000000", "`beam_size` of decoding must be from 1 to 1000, got 10000000000"),
        ("greedy,max_words=1001", "`max_words` of decoding must be from 1 to 1000, got 1001"),
        ("sample,temperature=0", "`temperature` of decoding must be from 0.01 to 100.0, got 0.0"),
        ("sample,temperature=1e-42", "`temperature` of decoding must be from 0.01 to 100.0, got 1e-42"),
        ("sample,temperature=inf", "`temperature` of decoding must be from 0.01 to 100.0, got inf"),
        ("sample,temperature=nan", "`temperature` of decoding must be from 0.01 to 100.0, got nan"),
        ("diverse-beam,diversity=inf", "`diversity` of decoding must be finite and at least 0, got inf"),
        ("sample,top_p=0", "`top_p` of decoding must be above 0 and at most 1, got 0.0"),
        ("diverse-beam,beam_size=5,groups=2", "`groups` of decoding must divide `beam_size`, got 2 groups and 5 beams"),
    ],
)
def test_invalid_settings_are_named(text, message):
    with pytest.raises(CaptionerError, match=message):
        Decoding.parse(text)
