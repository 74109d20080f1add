import numpy as np
import pytest

from cotopics.linalg import fix_signs, top_eigenpairs


def symmetric(rng, n, values):
    Q = np.linalg.qr(rng.standard_normal((n, n)))[0]
    return (Q * values) @ Q.T


@pytest.mark.parametrize("n", [30, 400])
def test_largest_by_value_not_by_magnitude(rng, n):
    values = np.concatenate([[-9.0, -5.0], np.linspace(0, 4, n - 2)])
    C = symmetric(rng, n, values)
    pairs = top_eigenpairs(C, 3)
    assert np.allclose(pairs.values, np.sort(values)[::-1][:3])
    assert np.allclose(C @ pairs.vectors, pairs.vectors * pairs.values, atol=1e-8)
    assert np.allclose(pairs.vectors.T @ pairs.vectors, np.eye(3), atol=1e-10)


def test_warm_start_finds_the_pairs_of_the_nearby_problem(rng):
    values = np.concatenate([[5.0, 4.0, 3.0], 0.1 * rng.random(397)])
    C = symmetric(rng, 400, values)
    noise = rng.standard_normal(C.shape)
    D = C + 1e-3 * (noise + noise.T)
    warm = top_eigenpairs(D, 3, start=top_eigenpairs(C, 3).block)
    cold = top_eigenpairs(D, 3)
    assert np.allclose(warm.values, cold.values, rtol=1e-9)
    assert np.allclose(warm.vectors, cold.vectors, atol=1e-7)
    assert warm.residual <= 1e-10


def test_start_that_knows_nothing_still_gives_the_right_pairs(rng):
    C = symmetric(rng, 300, np.linspace(-1, 1, 300))  # no gap: subspace iteration cannot do it
    pairs = top_eigenpairs(C, 2, start=rng.standard_normal((300, 4)))
    assert np.allclose(pairs.values, [1, 299 / 299 - 2 / 299], atol=1e-8)


def test_same_signs_every_time(rng):
    C = symmetric(rng, 300, rng.random(300))
    first, second = top_eigenpairs(C, 4), top_eigenpairs(C, 4)
    assert (first.vectors == second.vectors).all()
    assert np.allclose(fix_signs(-first.vectors), first.vectors)


@pytest.mark.parametrize("k", [0, 4])
def test_impossible_number_of_pairs(k):
    with pytest.raises(ValueError, match="order 3"):
        top_eigenpairs(np.eye(3), k)
