"""Logarithms and their like, made of operations that a loop does for eight numbers at once.

Those of the system take one number at a time, ten times as long, and their last digit depends on the system.
"""

import numpy as np

from cotopics.linalg.kernels.compiled import inlined

LEAST_EXPONENT = -700.0  # exp of less is 0, but for numbers too small for the usual form
ROUNDED = 3 * 2.0**51 + 1023.0  # added to a small number, the last bits are its nearest whole number, plus 1023
LOG2_E, LN2_HIGH, LN2_LOW = 1.4426950408889634, 0.6931471803691238, 1.9082149292705877e-10
ONE, ROOT_HALF = np.float64(1.0).view(np.int64), np.float64(np.sqrt(0.5)).view(np.int64)  # as they are stored
FRACTION = np.int64(2**52 - 1)  # the bits of a stored number behind its exponent
WHOLE = np.float64(2.0**52).view(np.int64)  # with a small whole number in the last bits, it is stored as 2⁵² plus that


@inlined
def exponential(x):
    """exp(x) for x ≤ 0, to 1e-12: 2ⁿ times a polynomial."""
    x = max(x, LEAST_EXPONENT)
    shifted = x * LOG2_E + ROUNDED
    n = shifted - ROUNDED
    r = (x - n * LN2_HIGH) - n * LN2_LOW  # |r| ≤ log(2)/2
    p = 1 / 5040 + r * (1 / 40320 + r * (1 / 362880 + r * (1 / 3628800)))
    p = 1 + r * (1 + r * (1 / 2 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120 + r * (1 / 720 + r * p))))))
    return p * np.int64(np.float64(shifted).view(np.int64) << 52).view(np.float64)


@inlined
def logarithm(x):
    """log(x) for x > 0 that has the usual form: x = 2ⁿ(1 + f) with 1 + f from √½ to √2, and log(1 + f) is
    2(s + s³/3 + s⁵/5 + …) with s = f/(2 + f), so that |s| < 0.172."""
    shifted = np.float64(x).view(np.int64) + (ONE - ROOT_HALF)
    n = np.int64((shifted >> 52) | WHOLE).view(np.float64) - (2.0**52 + 1023.0)
    f = np.int64((shifted & FRACTION) + ROOT_HALF).view(np.float64) - 1.0
    s = f / (2.0 + f)
    z = s * s
    p = 1 / 11 + z * (1 / 13 + z * (1 / 15 + z * (1 / 17 + z * (1 / 19))))
    p = 1 / 3 + z * (1 / 5 + z * (1 / 7 + z * (1 / 9 + z * p)))
    return n * LN2_HIGH + (2.0 * (s + s * (z * p)) + n * LN2_LOW)


@inlined
def exp_digamma(x):
    """exp(ψ(x)) for x > 0, from ψ(x) = ψ(x + 5) − Σ 1/(x + i) and the asymptotic series; error below 1e-9."""
    y = x + 5.0
    inverse = 1.0 / y
    s = inverse * inverse
    series = -0.5 * inverse - s * (1 / 12 - s * (1 / 120 - s * (1 / 252 - s * (1 / 240))))
    product = x * (x + 1.0) * (x + 2.0) * (x + 3.0) * (x + 4.0)
    derivative = 24.0 + x * (100.0 + x * (105.0 + x * (40.0 + x * 5.0)))  # of the product: Σ 1/(x + i) is their ratio
    return y * exponential(series - derivative / product)
