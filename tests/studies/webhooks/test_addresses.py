"""Tests of the addresses that no webhook reaches."""

import socket
from ipaddress import ip_address

import pytest

from studies.webhooks.addresses import NoPublicAddress, find_addresses, is_public
from studies.webhooks.policy import Policy, Target

ANY = Policy(hosts=frozenset({"*"}))
TARGET = Target(host="hooks.example.org", port=443, path="/", has_tls=True)
REFUSED = {
    "this network": ["0.0.0.0", "0.1.2.3"],  # noqa: S104 - an address to refuse
    "private": ["10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1"],
    "carrier-grade NAT": ["100.64.0.1", "100.100.100.200", "100.127.255.255"],
    "loopback": ["127.0.0.1", "127.1.2.3", "::1"],
    "link-local": ["169.254.169.254", "169.254.0.1", "fe80::1", "fe80::1%eth0"],
    "services for virtual machines": ["168.63.129.16", "192.0.0.192", "fd00:ec2::254"],
    "protocol assignments": ["192.0.0.1", "192.0.0.9", "2001::1", "2001:1::1", "2001:20::1"],
    "documentation": ["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"],
    "benchmarks": ["198.18.0.1", "198.19.255.255", "2001:2::1"],
    "multicast": ["224.0.0.1", "224.0.1.1", "239.255.255.250", "ff02::1", "ff0e::1"],
    "reserved": ["240.0.0.1", "255.255.255.255", "4000::1", "5f00::1", "100::1"],
    "unspecified": ["::"],
    "unique local": ["fc00::1", "fdff::1"],
    "site-local": ["fec0::1"],
    "IPv4-mapped": ["::ffff:127.0.0.1", "::ffff:93.184.216.34", "::ffff:a9fe:a9fe"],
    "IPv4-compatible": ["::127.0.0.1", "::93.184.216.34"],
    "NAT64": ["64:ff9b::7f00:1", "64:ff9b::5db8:d822", "64:ff9b:1::1"],
    "6to4": ["192.88.99.1", "2002:7f00:1::1", "2002:5db8:d822::1"],
    "Teredo": ["2001:0:4136:e378:8000:63bf:3fff:fdd2"],
}
PUBLIC = ["93.184.216.34", "1.1.1.1", "172.15.255.255", "172.32.0.1", "100.63.255.255", "2606:4700:4700::1111"]


def resolve_to(*addresses):
    def resolve(host, port, **_):
        return [
            (socket.AF_INET6 if ":" in each else socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port))
            for each in addresses
        ]

    return resolve


@pytest.mark.parametrize("address", [each for some in REFUSED.values() for each in some])
def test_addresses_that_are_not_public_are_refused(address):
    assert not is_public(ip_address(address))
    with pytest.raises(NoPublicAddress, match=r"^hooks.example.org has no public address$"):
        find_addresses(TARGET, policy=ANY, resolve=resolve_to(address))
    # Not even if the name has a public one as well.
    with pytest.raises(NoPublicAddress):
        find_addresses(TARGET, policy=ANY, resolve=resolve_to("93.184.216.34", address))


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_found(address):
    assert is_public(ip_address(address))
    ((_, found),) = find_addresses(TARGET, policy=ANY, resolve=resolve_to(address))
    assert found == (address, 443)


def test_a_name_without_address_is_told_apart_from_none():
    def fail(*_, **__):
        raise socket.gaierror("unknown name")

    for resolve in (fail, resolve_to()):
        with pytest.raises(NoPublicAddress, match=r"^hooks.example.org has no public address$"):
            find_addresses(TARGET, policy=ANY, resolve=resolve)


@pytest.mark.parametrize("host", ["2130706433", "0x7f.1", "0177.0.0.1", "127.1", "localhost", "::1"])
def test_other_ways_to_write_this_machine_are_refused(host):
    target = Target(host=host, port=443, path="/", has_tls=True)
    with pytest.raises(NoPublicAddress):
        find_addresses(target, policy=ANY)
