"""Tests of encrypted secrets: for one purpose, and readable after a change of SECRET_KEY."""

import pytest

from studies.access.encryption import UnreadableSecret, decrypt_secret, encrypt_secret


def test_secrets_are_for_one_purpose_and_outlive_a_change_of_the_key(settings):
    token = encrypt_secret("a secret", purpose=b"one")
    assert "a secret" not in token
    assert decrypt_secret(token, purpose=b"one") == "a secret"
    with pytest.raises(UnreadableSecret):
        decrypt_secret(token, purpose=b"another")

    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "new", [settings.SECRET_KEY]
    assert decrypt_secret(token, purpose=b"one") == "a secret"
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(UnreadableSecret, match="SECRET_KEY_FALLBACKS"):
        decrypt_secret(token, purpose=b"one")
