"""Origins of addresses for the content security policy."""

from urllib.parse import urlsplit


def find_origin(address: str) -> str:
    """Return the scheme, host and port of an address; "" for an empty one."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
