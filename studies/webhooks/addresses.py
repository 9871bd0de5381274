"""Finds the addresses of a host, and refuses all that are not public.

IPv4 is refused by the special-purpose registry of IANA and IPv6 allowed by it, in tables of our own: those of the
standard library differ between versions of Python, and know no translation of IPv4 into IPv6.
"""

import socket
from collections.abc import Callable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Any, Final

from studies.webhooks.policy import Policy, Target

_REFUSED_IPV4: Final = tuple(
    IPv4Network(each)
    for each in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # carrier-grade NAT
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # a service for virtual machines, in a public range
        "169.254.0.0/16",  # link-local, with services for virtual machines
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # relays of 6to4
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
)
_UNICAST_IPV6: Final = IPv6Network("2000::/3")
"""The only addresses of IPv6 that are global: neither mapped or translated IPv4 nor local ones are among them."""
_REFUSED_IPV6: Final = tuple(
    IPv6Network(each)
    for each in (
        "2001::/23",  # protocol assignments, with Teredo, which carries IPv4
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4, which carries IPv4
        "3fff::/20",  # documentation
    )
)

Resolve = Callable[..., Any]
"""What `socket.getaddrinfo` is."""


class NoPublicAddress(Exception):
    """A host cannot be found, or has an address that is not public; which of both is not said."""


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address belongs to a host of the public internet, and not to this machine or a network here."""
    if isinstance(address, IPv4Address):
        return address.is_global and not any(address in each for each in _REFUSED_IPV4)
    is_unicast = address.scope_id is None and address in _UNICAST_IPV6
    return is_unicast and address.is_global and not any(address in each for each in _REFUSED_IPV6)


def find_addresses(
    target: Target, *, policy: Policy, resolve: Resolve = socket.getaddrinfo
) -> list[tuple[socket.AddressFamily, tuple[Any, ...]]]:
    """Look a host up once, and return its addresses for `socket.connect`, each with its family.

    Whoever connects must use these: a second look-up may give others (DNS rebinding).

    Raises:
        NoPublicAddress: There is none, or one of them is not public.
    """
    try:
        found = resolve(target.host, target.port, type=socket.SOCK_STREAM)
        addresses = [ip_address(sockaddr[0]) for *_, sockaddr in found]
    except (OSError, UnicodeError, ValueError) as error:
        raise NoPublicAddress(f"{target.host} has no public address") from error
    if not addresses or not (policy.is_lax or all(map(is_public, addresses))):
        raise NoPublicAddress(f"{target.host} has no public address")
    return [(family, sockaddr) for family, _, _, _, sockaddr in found]
