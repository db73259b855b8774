"""Big numbers: integers from their remainders, and binomial coefficients, within a budget."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import comb, prod

from sapper.engine.limits import Budget

_SMALL = 10_000
"""Up to this number, `math.comb` takes at most a few milliseconds."""


_primes: list[int] = []


def large_primes(count: int, budget: Budget) -> list[int]:
    """Return the largest primes below 2**61, the largest first.

    >>> from sapper.engine.limits import Limit
    >>> [2**61 - prime for prime in large_primes(2, Limit().start())]
    [1, 31]
    """
    for candidate in _candidates():
        if len(_primes) >= count:
            break
        budget.check()
        if is_prime(candidate):
            _primes.append(candidate)
    return _primes[:count]


def _candidates() -> Iterator[int]:
    candidate = (_primes[-1] if _primes else 2**61 + 1) - 2
    while True:
        yield candidate
        candidate -= 2


def is_prime(number: int) -> bool:
    """Return whether an odd number below 2**64 is prime (Miller and Rabin's test, with enough bases).

    >>> is_prime(2**61 - 1), is_prime(2**61 - 3)
    (True, False)
    """
    odd = number - 1
    twos = (odd & -odd).bit_length() - 1
    odd >>= twos
    for base in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        power = pow(base, odd, number)
        if power in (1, number - 1):
            continue
        if not any((power := power * power % number) == number - 1 for _ in range(twos - 1)):
            return False
    return True


class Remainders:
    """Finds numbers by their remainders (the Chinese remainder theorem).

    >>> from sapper.engine.limits import Limit
    >>> Remainders([3, 5, 7], Limit().start()).combine([2, 3, 2])
    23
    """

    def __init__(self, primes: Sequence[int], budget: Budget) -> None:
        budget.reserve(8 * len(primes) ** 2)
        self._product = prod(primes)
        self._basis = []
        for prime in primes:
            budget.check()
            rest = self._product // prime
            self._basis.append(rest * pow(rest, -1, prime))

    def combine(self, remainders: Sequence[int]) -> int:
        """Return the least number that leaves these remainders when divided by the primes."""
        pairs = zip(remainders, self._basis, strict=True)
        return sum(remainder * part for remainder, part in pairs) % self._product


def binomials(n: int, k: int, budget: Budget) -> Iterator[int]:
    """Yield the binomial coefficients of `n` over `k`, `k - 1`, and so on, down to 0.

    >>> from sapper.engine.limits import Limit
    >>> list(binomials(4, 5, Limit().start()))
    [0, 1, 4, 6, 4, 1]
    """
    yield from islice((0 for _ in range(n, k)), max(k - n, 0))
    k = min(k, n)
    if k < 0:
        return
    value = binomial(n, k, budget)
    while True:
        yield value
        if k == 0:
            return
        budget.check()
        value = value * k // (n - k + 1)
        k -= 1


def binomial(n: int, k: int, budget: Budget) -> int:
    """Return the binomial coefficient.

    >>> from sapper.engine.limits import Limit
    >>> binomial(20_000, 3, Limit().start()) == comb(20_000, 3)
    True
    """
    if n <= _SMALL:
        return comb(n, k)
    factors = []
    for prime in _small_primes(n, budget):
        power = _exponent(n, prime) - _exponent(k, prime) - _exponent(n - k, prime)
        if power:
            factors.append(prime**power)
    while len(factors) > 1:  # Multiply pairs, so that all products stay about equally large.
        products = []
        for start in range(0, len(factors), 2):
            budget.check()
            products.append(prod(factors[start : start + 2]))
        factors = products
    return factors[0] if factors else 1


def _exponent(n: int, prime: int) -> int:
    """Return the exponent of a prime in n! (Legendre's formula)."""
    exponent = 0
    while n := n // prime:
        exponent += n
    return exponent


def _small_primes(most: int, budget: Budget) -> list[int]:
    is_prime = bytearray([1]) * (most + 1)
    is_prime[:2] = b"\0\0"
    for number in range(2, int(most**0.5) + 1):
        budget.check()
        if is_prime[number]:
            is_prime[number * number :: number] = bytes(len(range(number * number, most + 1, number)))
    return [number for number, prime in enumerate(is_prime) if prime]
