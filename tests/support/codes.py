"""Board codes with a correct checksum, whatever they contain."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from binascii import crc_hqx


def with_checksum(body: str) -> str:
    """Return a code with the checksum of its text: a CRC-16 as base64url, after a point."""
    checksum = crc_hqx(body.encode(), 0xFFFF).to_bytes(2, "big")
    return f"{body}.{urlsafe_b64encode(checksum).decode().rstrip('=')}"
