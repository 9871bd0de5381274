"""Protocols in words and by their signatures."""

from django import template

from correlation.protocols.reading import ProtocolUnknown, read_protocol
from studies.publishing.methods.vocabulary import describe_protocol

register = template.Library()


@register.filter
def protocol_in_words(text: str) -> str:
    """Return sentences on a protocol given by name or signature; "" if this version does not know it."""
    try:
        return describe_protocol(read_protocol(text))
    except ProtocolUnknown:
        return ""


@register.filter
def signature(text: str) -> str:
    """Return the full signature of a protocol given by name or signature; the text if this version does not know it."""
    try:
        return read_protocol(text).signature
    except ProtocolUnknown:
        return text


@register.filter
def head(signature: str) -> str:
    """Return the name and version at the start of a signature: `custom@1` of `custom@1|rows:all|refs:all`."""
    return signature.partition("|")[0]
