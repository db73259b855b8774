"""Clients: identify a client by its network address."""

from __future__ import annotations

import ipaddress
from functools import lru_cache

_LONGEST_NAME = 64
"""The most characters in the name of a client without an IP address."""
_IPV6_NETWORK = 64
"""The bits of an IPv6 address that identify a network. Its owner can use every address in it."""


@lru_cache(1024)
def client_of(address: str) -> str:
    """Return the client with this address.

    All addresses of an IPv6 network are one client. Otherwise one person could be millions of clients.

    >>> client_of("192.0.2.7"), client_of("::ffff:192.0.2.7")
    ('192.0.2.7', '192.0.2.7')
    >>> client_of("2001:db8::1") == client_of("2001:db8::2:3")
    True
    """
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:_LONGEST_NAME]
    if ip.version == 4:
        return str(ip)
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    return str(ipaddress.ip_network((ip, _IPV6_NETWORK), strict=False))
