"""Secrets and signatures of webhooks, as Standard Webhooks defines them (https://www.standardwebhooks.com)."""

import base64
import hashlib
import hmac
import secrets
from datetime import datetime
from typing import Final

PREFIX: Final = "whsec_"
_N_BYTES: Final = 32


def make_secret() -> str:
    """Return a new secret: `PREFIX` and the Base64 of random bytes."""
    return PREFIX + base64.b64encode(secrets.token_bytes(_N_BYTES)).decode()


def sign(body: bytes, *, secret: str, message: str, now: datetime) -> dict[str, str]:
    """Return the headers that identify, date and sign a message.

    Args:
        body: What is sent.
        secret: That of the webhook.
        message: Identifies the message; the same when it is sent again.
        now: When it is sent. Receivers refuse old messages, so that nobody can repeat one.
    """
    timestamp = str(int(now.timestamp()))
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signed = hmac.digest(key, f"{message}.{timestamp}.".encode() + body, hashlib.sha256)
    return {
        "webhook-id": message,
        "webhook-timestamp": timestamp,
        "webhook-signature": f"v1,{base64.b64encode(signed).decode()}",
    }
