"""A cached property without a lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

Value = TypeVar("Value")


class cached_property(Generic[Value]):
    """A property that is computed once per object and then stored in it.

    Before Python 3.12, `functools.cached_property` holds one lock for all objects of a class while it
    computes: a slow object makes every other one wait, and a forked child may wait forever. Here, two
    threads that read the same property at once may both compute it; both get the same answer.

    >>> class Circle:
    ...     def __init__(self, radius):
    ...         self.radius = radius
    ...     @cached_property
    ...     def area(self):
    ...         print("computing")
    ...         return 3 * self.radius**2
    >>> circle = Circle(2)
    >>> circle.area, circle.area
    computing
    (12, 12)
    """

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> cached_property[Value]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...
    def __get__(self, instance: object | None, owner: type) -> cached_property[Value] | Value:
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._compute(instance)
        return value
