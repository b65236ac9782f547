"""``ter.scipy_method``: the solver as a method of ``scipy.optimize.minimize``."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ter.core.box import BoundsLike, Vector
from ter.core.errors import InvalidArgument, UnknownName
from ter.display.result import Result
from ter.interface.minimize import minimize
from ter.run.settings import Callback

__all__ = ["scipy_method"]

# What SciPy's own methods call them, and what they are called here.
NAMES = {"maxfev": "budget", "maxfun": "budget", "seed": "rng", "f_target": "target", "disp": "progress"}
BY_SCIPY = ("fun", "bounds", "args", "x0", "callback")  # what comes as an argument, not as an option


def scipy_method(
    fun: Callable[..., Any],
    x0: Any,
    args: Any = (),
    *,
    jac: Any = None,
    hess: Any = None,
    hessp: Any = None,
    bounds: BoundsLike | None = None,
    constraints: Any = (),
    callback: Callable[..., Any] | None = None,
    **options: Any,
) -> Any:
    """Minimise on behalf of ``scipy.optimize.minimize``, which takes this function as its ``method``.

    Parameters
    ----------
    fun, x0, args, bounds
        As for SciPy. Finite bounds are needed for every variable; ``Bounds(0, 1)`` counts for all of them.
    jac, hess, hessp
        Not used; a warning says so, as with SciPy's own methods that use values only.
    constraints
        Must be empty: only bounds are known here.
    callback : callable, optional
        Called as ``callback(intermediate_result=...)`` if its one parameter has that name, else as ``callback(x)``
        with the best point so far. Raising StopIteration or returning True ends the run.
    **options
        The arguments of :func:`ter.minimize` that SciPy has no argument for. ``maxfev`` (or ``maxfun``) is another
        word for ``budget``, ``seed`` for ``rng``, ``f_target`` for ``target``, and ``disp`` for ``progress``.

    Returns
    -------
    Result
        As from :func:`ter.minimize`.

    Raises
    ------
    InvalidArgument
        If an argument or an option breaks a rule; nothing was evaluated then.

    Examples
    --------
    >>> import scipy.optimize
    >>> import ter
    >>> result = scipy.optimize.minimize(
    ...     lambda x, shift: ((x - shift) ** 2).sum(),
    ...     [0.0] * 20,
    ...     args=(0.5,),
    ...     bounds=scipy.optimize.Bounds(-1, 1),
    ...     method=ter.scipy_method,
    ...     options={"maxfev": 10_000, "rng": 1},
    ... )
    >>> result.nfev, bool(result.fun < 1e-6)
    (10000, True)
    """
    # The type of the result is left to SciPy's own `minimize`, whose stubs have a class for it that nobody can import.
    if constraints:
        raise InvalidArgument(
            f"constraints must be left out with ter.scipy_method, got {constraints!r}; it knows bounds only: "
            "add a penalty to the function, or take another method"
        )
    read = _read(options)
    for name, given in (("jac", jac), ("hess", hess), ("hessp", hessp)):
        if given is not None:
            message = f"method ter.scipy_method does not use derivatives ({name}): it looks at values only"
            warnings.warn(message, RuntimeWarning, stacklevel=3)  # at the call of SciPy's minimize
    return minimize(fun, bounds, args=args, x0=x0, callback=None if callback is None else _adapted(callback), **read)


def _read(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options by the names that :func:`minimize` has for them."""
    own = [name for name in inspect.signature(minimize).parameters if name not in BY_SCIPY]
    read: dict[str, Any] = {}
    written: dict[str, str] = {}
    for given, value in options.items():
        name = NAMES.get(given, given)
        if name not in own:
            raise UnknownName.among("option of ter.scipy_method", given, [*NAMES, *own])
        if name in read:
            raise InvalidArgument(
                f"options must say each thing once, got {written[name]!r} and {given!r}, which mean the same"
            )
        read[name], written[name] = value, given
    if "budget" not in read:
        raise InvalidArgument(
            "options must limit the run, got neither 'maxfev' nor 'budget'; write for example "
            "options={'maxfev': 10_000} or options={'budget': '10min'}"
        )
    return read


def _adapted(callback: Callable[..., Any]) -> Callback:
    """Call a callback as SciPy does, by the name of its parameter."""
    if not callable(callback):
        raise InvalidArgument(f"callback must be callable, got {type(callback).__name__}")
    try:
        wants_result = set(inspect.signature(callback).parameters) == {"intermediate_result"}
    except ValueError:  # some functions of C have no signature
        wants_result = False

    def call(result: Result) -> bool:
        point: Vector = result.x
        answer = callback(intermediate_result=result) if wants_result else callback(point)
        return isinstance(answer, bool | np.bool_) and bool(answer)  # not every callback returns something on purpose

    return call
