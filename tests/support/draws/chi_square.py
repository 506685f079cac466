"""Chi-square tests with their power, from the incomplete gamma function alone (Abramowitz & Stegun 6.5.29, 26.4.25)."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, lgamma, log


def cdf(x: float, freedom: int) -> float:
    """P(chi-square with `freedom` degrees of freedom <= x), by the series of the lower incomplete gamma function."""
    if x <= 0:
        return 0.0
    a, half = freedom / 2, x / 2
    term = total = 1 / a
    n = a
    while term > total * 1e-15:
        n += 1
        term *= half / n
        total += term
    return min(1.0, total * exp(a * log(half) - half - lgamma(a)))


def quantile(p: float, freedom: int) -> float:
    """The x with cdf(x) = p, by bisection."""
    low, high = 0.0, freedom + 100.0 + 20 * freedom**0.5
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if cdf(middle, freedom) < p else (low, middle)
    return high


def power(noncentrality: float, freedom: int, critical: float) -> float:
    """P(noncentral chi-square > critical): a Poisson mixture of central ones."""
    weight = exp(-noncentrality / 2)
    below = seen = 0.0
    k = 0
    while seen < 1 - 1e-12 and k < 5000:
        below += weight * cdf(critical, freedom + 2 * k)
        seen += weight
        k += 1
        weight *= noncentrality / 2 / k
    return 1 - below


def statistic(counts: Sequence[int], weights: Sequence[int]) -> float:
    """Pearson's statistic of the counts against chances in proportion to the weights."""
    drawn, total = sum(counts), sum(weights)
    expected = [drawn * weight / total for weight in weights]
    return sum((count - mean) ** 2 / mean for count, mean in zip(counts, expected, strict=True))


def noncentrality_of_bias(weights: Sequence[int], drawn: int, bias: float) -> float:
    """Of `drawn` draws in which the least likely outcome is `bias` (relative) too likely at the others' expense."""
    total = sum(weights)
    p = min(weights) / total
    return drawn * ((p * bias) ** 2 / p + (p * bias) ** 2 / (1 - p))
