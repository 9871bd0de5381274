from copy import copy

import pytest

from correlation.errors import UnknownNameError, check_name


def test_a_name_that_is_unknown_is_told_with_those_that_are_known():
    with pytest.raises(UnknownNameError) as raised:
        check_name("spice", "peper", {"pepper": 1, "salt": 2})

    assert str(raised.value) == "unknown spice 'peper'; known are: pepper, salt"
    assert str(copy(raised.value)) == str(raised.value)


def test_a_known_name_passes():
    check_name("spice", "pepper", ("pepper", "salt"))
