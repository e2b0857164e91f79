"""Say how many replies it takes to find a change of a rate, or which change so many replies can find.

Pairs are prompts that both sides answer once. The two replies to a prompt are taken as independent, which is the
worst case. With --features the level is divided by their number: what one drifting feature among them has to reach.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.dialect.power import LARGEST, Demand, rate_detectable, rate_pairs, rate_power
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("rate", type=float, help="the share of replies that show the feature now, 0 to 1")
    parser.add_argument("--to", type=float, help="the share to tell it from")
    parser.add_argument("--pairs", type=int, help="how many prompts both sides answer")
    parser.add_argument("--features", type=int, default=1, help="how many features are looked at (%(default)s)")
    parser.add_argument("--level", type=float, default=0.05, help="false discovery rate (%(default)s)")
    parser.add_argument("--power", type=float, default=0.8, help="the probability to find it (%(default)s)")


def run(arguments: argparse.Namespace) -> int:
    """Answer with the number that was left open."""
    _check(arguments)
    rate, to, pairs = arguments.rate, arguments.to, arguments.pairs
    demand = Demand(arguments.level / arguments.features, arguments.power)
    if to is not None and pairs is not None:
        print(
            f"{pairs} pairs find a change from {rate:.1%} to {to:.1%} with a power of "
            f"{rate_power(pairs, rate, to, demand.level):.1%}"
        )
    elif to is not None:
        needed = rate_pairs(rate, to, demand)
        print(
            f"it takes {needed or f'more than {LARGEST}'} pairs to find a change from {rate:.1%} to {to:.1%} "
            f"with a power of {demand.power:.0%}"
        )
    else:
        least = rate_detectable(pairs, rate, demand)
        print(
            f"{pairs} pairs find "
            + (f"a change of {least * 100:.1f} percentage points or more" if least else "no change")
            + f" of a rate of {rate:.1%} with a power of {demand.power:.0%}"
        )
    return 0


def _check(arguments: argparse.Namespace) -> None:
    if arguments.to is None and arguments.pairs is None:
        raise UsageError("say --to RATE, --pairs N, or both: what is left out is worked out")
    shares = {"RATE": arguments.rate, "--to": arguments.to, "--level": arguments.level, "--power": arguments.power}
    for name, value in shares.items():
        if value is not None and not 0 <= value <= 1:
            raise UsageError(f"{name} {value}: must lie between 0 and 1")
    if arguments.to == arguments.rate:
        raise UsageError(f"--to {arguments.to}: is the rate itself; there is no change to find")
    if arguments.features < 1 or (arguments.pairs is not None and arguments.pairs < 1):
        raise UsageError("--features and --pairs count from 1")
    if arguments.pairs is not None and arguments.pairs > LARGEST:
        raise UsageError(f"--pairs {arguments.pairs}: more than {LARGEST} are not worked out")
