"""Signatures of panels: an HMAC of the parameters of an address, and Prolific's token."""

import base64
import binascii
import hmac
import json
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlsplit

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicNumbers
from cryptography.hazmat.primitives.hashes import SHA256
from django.conf import settings
from django.http.request import validate_host

EXPIRES: Final = "expires"
"""An optional signed parameter: the time at which the address expires, in seconds since 1970."""


class WrongSignature(Exception):
    """The signature is missing, invalid or expired."""


def sign_parameters(parameters: Mapping[str, str], *, secret: str) -> str:
    """Return the HMAC-SHA256, in hexadecimal digits, of `name=value` pairs in the order of their names.

    Names and values are percent-encoded except for letters, digits and `_.-~`, and pairs are joined by `&`.
    """
    pairs = (f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in sorted(parameters.items()))
    return hmac.digest(secret.encode(), "&".join(pairs).encode(), "sha256").hex()


def check_parameters(
    query: Mapping[str, str], names: Iterable[str], *, signature: str, secret: str, now: float | None = None
) -> None:
    """Check the signature of these parameters of an address, and of `expires` if present.

    Raises:
        WrongSignature: The signature is missing, invalid or expired.
    """
    signed = {name: query.get(name, "") for name in names}
    if EXPIRES in query:
        signed[EXPIRES] = query[EXPIRES]
    right = sign_parameters(signed, secret=secret)
    if not secret or not hmac.compare_digest(right.encode(), signature.lower().encode()):
        raise WrongSignature("the signature does not match these parameters")
    _check_time(signed.get(EXPIRES), now=now)


def check_token(token: str, *, parameters: Mapping[str, str], keys: Path, now: float | None = None) -> None:
    """Check Prolific's token, a JWT (RS256) whose claim `prolific` contains the parameters of the address.

    `keys` is the file written by `fetch_prolific_keys`.

    Raises:
        WrongSignature: The token is missing, invalid or expired, or the file of keys is missing.
    """
    try:
        head, body, signature = token.split(".")
        header, claims = (json.loads(_decode(part)) for part in (head, body))
        _find_key(header, keys).verify(_decode(signature), f"{head}.{body}".encode(), PKCS1v15(), SHA256())
        told = {name: str(claims["prolific"][name]) for name in parameters}
        audience = str(claims["aud"])
    # RecursionError, because anybody can send JSON that is nested too deeply to be parsed.
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, InvalidSignature, OSError) as error:
        raise WrongSignature(f"the token is not one of Prolific's: {error!r}") from error
    if told != dict(parameters):
        raise WrongSignature("the token does not match these parameters")
    # The audience may be an address or only its host.
    host = urlsplit(audience).netloc or audience.partition("/")[0]
    if not validate_host(host.rpartition(":")[0] or host, settings.ALLOWED_HOSTS):
        raise WrongSignature("the token is for another site")
    if claims.get("exp") is None:
        raise WrongSignature("the token has no expiry time")
    _check_time(claims["exp"], now=now)


def read_keys(text: str) -> dict[str, Any]:
    """Return the RSA public keys of a JSON Web Key Set by id.

    Raises:
        ValueError: The text is not a key set, or has no RSA key.
    """
    try:
        found = {
            str(one["kid"]): RSAPublicNumbers(e=_read_number(one["e"]), n=_read_number(one["n"])).public_key()
            for one in json.loads(text)["keys"]
            if one.get("kty") == "RSA"
        }
    except (KeyError, TypeError, AttributeError, binascii.Error) as error:
        raise ValueError(f"must be a JSON Web Key Set: {error!r}") from error
    if not found:
        raise ValueError("must be a JSON Web Key Set with an RSA key, got none")
    return found


def _find_key(header: Any, keys: Path) -> Any:
    # Prolific does not use any other algorithm; "none" would accept any token.
    if header["alg"] != "RS256":
        raise ValueError("the algorithm must be RS256")
    return read_keys(keys.read_text(encoding="utf-8"))[header["kid"]]


def _check_time(expires: Any, *, now: float | None) -> None:
    if expires is None:
        return
    try:
        # Written so that NaN counts as expired.
        is_over = not float(expires) > (time.time() if now is None else now)
    except (TypeError, ValueError) as error:
        raise WrongSignature("the time is not a number") from error
    if is_over:
        raise WrongSignature("the time has passed")


def _decode(part: str) -> bytes:
    return base64.b64decode(part + "=" * (-len(part) % 4), altchars=b"-_", validate=True)


def _read_number(text: str) -> int:
    return int.from_bytes(_decode(text), "big")
