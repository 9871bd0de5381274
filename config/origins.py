"""Origins of addresses, as the content security policy names them."""

from urllib.parse import urlsplit


def find_origin(address: str) -> str:
    """Return scheme, host and port of an address; nothing of an empty one."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
