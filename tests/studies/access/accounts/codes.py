"""Codes of an authenticator app, computed as in RFC 6238."""

import base64
import hashlib
import hmac
import struct


def compute_code(secret: str, *, now: float) -> str:
    key = base64.b32decode(secret)
    digest = hmac.new(key, struct.pack(">Q", int(now) // 30), hashlib.sha1).digest()
    offset = digest[-1] & 15
    (number,) = struct.unpack(">I", digest[offset : offset + 4])
    return f"{(number & 0x7FFFFFFF) % 10**6:06d}"
