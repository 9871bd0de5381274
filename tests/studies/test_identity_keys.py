"""Tests of encryption and lookup hashes of personal data, with one key and during its change."""

import hashlib
import hmac

import pytest

from studies.identity_keys import UnknownIdentityKey, decrypt, encrypt, list_lookup_hashes, make_lookup_hash


@pytest.fixture
def _old(settings) -> None:
    settings.ACCORDANCE_IDENTITY_KEY = "old secret"


def _change_key(settings) -> None:
    settings.ACCORDANCE_IDENTITY_KEY = "new secret"
    settings.ACCORDANCE_IDENTITY_KEY_FALLBACKS = ["old secret"]


def _derive(secret: bytes, purpose: bytes) -> bytes:
    """Derive 32 bytes by HKDF with SHA-256 and no salt, written out from RFC 5869, sections 2.2 and 2.3."""
    extracted = hmac.new(bytes(32), secret, hashlib.sha256).digest()
    return hmac.new(extracted, purpose + b"\x01", hashlib.sha256).digest()


@pytest.mark.usefixtures("_old")
def test_text_is_encrypted_differently_each_time_and_read_again() -> None:
    first, second = encrypt("zoe@example.org"), encrypt("zoe@example.org")

    assert first != second
    assert "zoe" not in first
    assert {decrypt(first), decrypt(second)} == {"zoe@example.org"}


@pytest.mark.usefixtures("_old")
def test_hash_is_an_hmac_under_a_key_of_its_own() -> None:
    key = _derive(b"old secret", b"accordance: hashes to look personal data up by")

    expected = hmac.new(key, b"identity\0prolific\x005f1d", hashlib.sha256).hexdigest()

    assert make_lookup_hash("identity", "prolific", "5f1d") == expected


@pytest.mark.usefixtures("_old")
def test_both_keys_hold_during_a_change(settings) -> None:
    token, found = encrypt("zoe"), make_lookup_hash("zoe")

    _change_key(settings)

    assert decrypt(token) == "zoe"
    assert list_lookup_hashes("zoe") == (make_lookup_hash("zoe"), found)
    assert make_lookup_hash("zoe") != found


@pytest.mark.usefixtures("_old")
def test_without_the_old_key_nothing_is_read(settings) -> None:
    token = encrypt("zoe")
    _change_key(settings)
    settings.ACCORDANCE_IDENTITY_KEY_FALLBACKS = []

    with pytest.raises(UnknownIdentityKey, match="name the key that it was written with"):
        decrypt(token)
