"""Tests of signatures of addresses: valid ones are accepted, others rejected with the reason."""

import base64
import hashlib
import hmac
import json

import pytest
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256

from annotation_ui.channels.signing import WrongSignature, check_parameters, check_token, read_keys, sign_parameters

SECRET = "a secret of sixteen"
NOW = 1_750_000_000.0
IDS = {"PROLIFIC_PID": "5f" * 12, "STUDY_ID": "60" * 12, "SESSION_ID": "s1"}
CLAIMS = {"prolific": {**IDS, "workspace_id": "w"}, "aud": "https://testserver/r/x/", "exp": NOW + 60}


def _encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _write_number(number):
    return _encode(number.to_bytes((number.bit_length() + 7) // 8, "big"))


@pytest.fixture(scope="module")
def key():
    return generate_private_key(65537, 2048)


@pytest.fixture
def keys(key, tmp_path):
    """The file of public keys, as Prolific publishes them."""
    numbers = key.public_key().public_numbers()
    one = {"kty": "RSA", "kid": "k1", "alg": "RS256", "n": _write_number(numbers.n), "e": _write_number(numbers.e)}
    path = tmp_path / "keys.json"
    path.write_text(json.dumps({"keys": [one]}))
    return path


def _make_token(key, claims=CLAIMS, **header):
    head = {"alg": "RS256", "kid": "k1", **header}
    text = ".".join(_encode(json.dumps(part).encode()) for part in (head, claims))
    return f"{text}.{_encode(key.sign(text.encode(), PKCS1v15(), SHA256()))}"


def test_parameters_are_signed_in_the_order_of_their_names_and_encoded() -> None:
    message = b"participant=a%2Fb%20c&visit=9"

    signature = sign_parameters({"visit": "9", "participant": "a/b c"}, secret=SECRET)

    assert signature == hmac.new(SECRET.encode(), message, hashlib.sha256).hexdigest()


def test_right_signature_passes_in_capitals_too() -> None:
    signature = sign_parameters({"participant": "7"}, secret=SECRET).upper()

    check_parameters({"participant": "7", "other": "x"}, ["participant"], signature=signature, secret=SECRET, now=NOW)


@pytest.mark.parametrize(
    ("query", "secret"),
    [
        ({"participant": "8"}, SECRET),
        ({"participant": "7"}, "another secret of 20"),
        ({"participant": "7"}, ""),
        ({"participant": "7", "expires": str(NOW + 60)}, SECRET),
        ({}, SECRET),
    ],
)
def test_signature_of_something_else_is_refused(query, secret) -> None:
    signature = sign_parameters({"participant": "7"}, secret=SECRET)

    with pytest.raises(WrongSignature, match="does not match these parameters"):
        check_parameters(query, ["participant"], signature=signature, secret=secret, now=NOW)


@pytest.mark.parametrize(("expires", "words"), [(str(NOW - 1), "passed"), ("nan", "passed"), ("soon", "not a number")])
def test_a_signed_expiry_time_is_enforced(expires, words) -> None:
    query = {"participant": "7", "expires": expires}

    with pytest.raises(WrongSignature, match=words):
        check_parameters(
            query, ["participant"], signature=sign_parameters(query, secret=SECRET), secret=SECRET, now=NOW
        )


@pytest.mark.parametrize("audience", ["https://testserver/r/x/", "https://testserver:8000", "testserver"])
def test_token_of_the_panel_passes(key, keys, audience) -> None:
    check_token(_make_token(key, {**CLAIMS, "aud": audience}), parameters=IDS, keys=keys, now=NOW)


@pytest.mark.parametrize(
    ("claims", "header", "words"),
    [
        ({"exp": NOW - 1}, {}, "time has passed"),
        ({"exp": None}, {}, "no expiry time"),
        ({"aud": "https://elsewhere.example"}, {}, "another site"),
        ({"prolific": {**IDS, "PROLIFIC_PID": "6a" * 12}}, {}, "does not match these parameters"),
        ({"prolific": {}}, {}, "not one of Prolific's"),
        ({}, {"alg": "none"}, "not one of Prolific's"),
        ({}, {"alg": "HS256"}, "not one of Prolific's"),
        ({}, {"kid": "k2"}, "not one of Prolific's"),
    ],
)
def test_token_that_says_something_else_is_refused(key, keys, claims, header, words) -> None:
    token = _make_token(key, {**CLAIMS, **claims}, **header)

    with pytest.raises(WrongSignature, match=words):
        check_token(token, parameters=IDS, keys=keys, now=NOW)


DEEP = _encode(b"[" * 100_000)


@pytest.mark.parametrize("token", ["", "a.b", "a.b.c", "é.é.é", "W10.W10.W10", f"{DEEP}.W10.W10", f"W10.{DEEP}.W10"])
def test_what_is_no_token_is_refused(keys, token) -> None:
    with pytest.raises(WrongSignature):
        check_token(token, parameters=IDS, keys=keys, now=NOW)


def test_token_of_another_key_or_without_keys_is_refused(keys, tmp_path) -> None:
    token = _make_token(generate_private_key(65537, 2048))

    for path in (keys, tmp_path / "none.json"):
        with pytest.raises(WrongSignature):
            check_token(token, parameters=IDS, keys=path, now=NOW)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"keys": []}', '{"keys": [{"kty": "RSA", "kid": "x"}]}'])
def test_what_is_no_set_of_keys_is_an_error(text) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - of JSON, or ours
        read_keys(text)
