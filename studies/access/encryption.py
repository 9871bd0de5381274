"""Encryption of secrets that the site must be able to read again, by keys derived from SECRET_KEY."""

import base64
import hashlib

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings


class UnreadableSecret(Exception):
    """The secret was encrypted with a key that is not in the settings, or has been modified."""


def encrypt_secret(text: str, *, purpose: bytes) -> str:
    """Return a text encrypted by the key for a purpose (Fernet: AES-128-CBC and HMAC-SHA256), in ASCII."""
    return _make_fernet(purpose).encrypt(text.encode()).decode()


def decrypt_secret(token: str, *, purpose: bytes) -> str:
    """Return a text that was encrypted with SECRET_KEY or one of SECRET_KEY_FALLBACKS.

    Raises:
        UnreadableSecret: It was encrypted with another key or for another purpose, or has been modified.
    """
    try:
        return _make_fernet(purpose).decrypt(token.encode()).decode()
    except InvalidToken as error:
        raise UnreadableSecret(
            "the secret was encrypted with a key that is neither SECRET_KEY nor among SECRET_KEY_FALLBACKS"
        ) from error


def _make_fernet(purpose: bytes) -> MultiFernet:
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return MultiFernet([Fernet(_derive(key, purpose)) for key in keys])


def _derive(key: str, purpose: bytes) -> bytes:
    return base64.urlsafe_b64encode(hashlib.sha256(purpose + b"\0" + key.encode()).digest())
