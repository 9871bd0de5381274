"""The keys of personal data: one for encryption, another for the hashes by which the data are looked up.

Both are derived from the operator's secret, `ACCORDANCE_IDENTITY_KEY`, which is in no database. While the secret is
being replaced, `ACCORDANCE_IDENTITY_KEY_FALLBACKS` lists the old ones, with which data can be read and found until
`rotate_identity_key` has been run.
"""

import base64
import hmac
from functools import lru_cache
from typing import Final

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

_ENCRYPTION: Final = b"accordance: encryption of personal data"
_LOOK_UP: Final = b"accordance: hashes to look personal data up by"


class UnknownIdentityKey(Exception):
    """The data were encrypted with a key that is not in the settings."""


def encrypt(text: str) -> str:
    """Return a text encrypted with the newest key (Fernet: AES-128-CBC and HMAC-SHA256), in ASCII."""
    return _load_ciphers(_list_secrets()).encrypt(text.encode()).decode()


def decrypt(token: str) -> str:
    """Return a text that was encrypted with the newest or an older key.

    Raises:
        UnknownIdentityKey: It was encrypted with another key, or has been modified.
    """
    try:
        return _load_ciphers(_list_secrets()).decrypt(token.encode()).decode()
    except InvalidToken as error:
        raise UnknownIdentityKey(
            "personal data in the database was encrypted with a key that is neither ACCORDANCE_IDENTITY_KEY nor among "
            "ACCORDANCE_IDENTITY_KEY_FALLBACKS: name the key that it was written with"
        ) from error


def list_lookup_hashes(*parts: str) -> tuple[str, ...]:
    """Return the keyed hashes (HMAC-SHA256, 64 hexadecimal digits) of some values, that of the newest key first.

    Values stored before a change of the key have one of the other hashes until `rotate_identity_key` has been run.
    """
    message = "\0".join(parts).encode()
    return tuple(hmac.digest(_derive(one, _LOOK_UP), message, "sha256").hex() for one in _list_secrets())


def make_lookup_hash(*parts: str) -> str:
    """Return the keyed hash with the newest key, for new rows."""
    return list_lookup_hashes(*parts)[0]


def _list_secrets() -> tuple[str, ...]:
    return (settings.ACCORDANCE_IDENTITY_KEY, *settings.ACCORDANCE_IDENTITY_KEY_FALLBACKS)


@lru_cache(maxsize=8)
def _load_ciphers(secrets: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(base64.urlsafe_b64encode(_derive(one, _ENCRYPTION))) for one in secrets])


@lru_cache(maxsize=32)
def _derive(secret: str, purpose: bytes) -> bytes:
    # Derive a separate key per purpose, which reveals nothing about the other or the secret (RFC 5869).
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose).derive(secret.encode())
