import pytest

from studies.templatetags.protocols import head


@pytest.mark.parametrize("signature", ["custom@1", "custom@1|rows:all", "custom@1|rows:all|refs:all"])
def test_head_is_name_and_version(signature: str) -> None:
    assert head(signature) == "custom@1"
