"""Slow and simple versions of the fast algorithms of the package."""

import itertools

import numpy as np
from scipy.optimize import linprog, lsq_linear, minimize
from scipy.special import digamma


def cooccurrence(X):
    """Lee et al. 2015, Eq. 5, by counting every ordered pair of different tokens of every document."""
    n_words = X.shape[1]
    C, used = np.zeros((n_words, n_words)), 0
    for h in np.asarray(X):
        tokens = [word for word, count in enumerate(h) for _ in range(int(count))]
        if len(tokens) < 2:
            continue
        used += 1
        share = 1 / (len(tokens) * (len(tokens) - 1))
        for i, j in itertools.permutations(range(len(tokens)), 2):
            C[tokens[i], tokens[j]] += share
    return C / used


def weighted_cooccurrence(X, weighting):
    """By tf-idf, documents of unit length; all but "tfidf" divide each by max(degree, floor · mean)^power."""
    power, floor = {"tfidf": (0, 0), "balanced": (0.5, 0.2)}.get(weighting) or (weighting.power, weighting.floor)
    word_power = getattr(weighting, "word_power", 0)
    X = np.array([document for document in np.asarray(X, dtype=float) if document.any()])
    D = np.zeros(X.shape)
    for m, i in zip(*X.nonzero(), strict=True):
        damped = 1 + np.log(X[m, i]) if X[m, i] >= 1 else X[m, i]
        D[m, i] = damped * np.log((1 + len(X)) / np.count_nonzero(X[:, i]))
    D /= np.linalg.norm(D, axis=1, keepdims=True)
    degree = (D @ D.T).sum(axis=1)
    D /= np.maximum(degree, floor * degree.mean())[:, None] ** power
    norms = np.linalg.norm(D, axis=0)
    D /= np.where(norms > 0, norms, 1) ** word_power
    return D.T @ D / (D.T @ D).sum()


def alternating_projection(C, n_topics, n_iter):
    """Lee et al. 2021, Algorithm 2, with full eigendecompositions."""
    C = C.copy()
    for _ in range(n_iter):
        values, vectors = np.linalg.eigh(C)
        values[:-n_topics] = 0
        C = (vectors * np.maximum(values, 0)) @ vectors.T
        C = C + (1 - C.sum()) / C.size
        C = np.maximum(C, 0)
    return C / C.sum()


def negative_part(Y, I):
    """E_ij = max(−y_i·y_j, 0) where i or j is in I, entry by entry."""
    n, held = len(Y), set(np.asarray(I).tolist())
    E = np.zeros((n, n))
    for i, j in itertools.product(range(n), repeat=2):
        if i in held or j in held:
            E[i, j] = max(-(Y[i] @ Y[j]), 0)
    return E


def _leading_factor(C, n_topics):
    values, vectors = np.linalg.eigh(C)
    return vectors[:, -n_topics:] * np.sqrt(np.maximum(values[-n_topics:], 0))


def epsilon_non_negative(C, n_topics, n_iter, n_rows):
    """Lee et al. 2021, Algorithm 3, with full eigendecompositions, E and r11ᵀ; Y, scaled so that YYᵀ sums to one."""
    n = len(C)
    Y = _leading_factor(C / C.sum(), n_topics)
    for _ in range(n_iter):
        YY = Y @ Y.T
        rest = np.argsort(-np.diag(YY), kind="stable")[n_rows:]
        E = np.maximum(-YY, 0)
        E[np.ix_(rest, rest)] = 0
        r = (1 - YY.sum() - E.sum()) / n**2
        Y = _leading_factor(YY + E + r, n_topics)
    return Y / np.linalg.norm(Y.sum(axis=0))


def simplex_least_squares(G, f):
    """min ½ yᵀGy − fᵀy over the simplex by trying every support."""
    k, best, answer = len(f), np.inf, None
    for size in range(1, k + 1):
        for support in map(list, itertools.combinations(range(k), size)):
            system = np.block(
                [[G[np.ix_(support, support)], np.ones((size, 1))], [np.ones((1, size)), np.zeros((1, 1))]]
            )
            solution, *_ = np.linalg.lstsq(system, np.append(f[support], 1), rcond=None)
            y = np.zeros(k)
            y[support] = solution[:-1]
            if y.min() < -1e-12 or abs(y.sum() - 1) > 1e-9:
                continue
            value = y @ G @ y / 2 - f @ y
            if value < best - 1e-15:
                best, answer = value, y
    return answer


def _greedy(distance, C, n_topics):
    """Take the word with the largest distance(word, words taken), n_topics times."""
    taken = []
    for _ in range(n_topics):
        left = [i for i in range(len(C)) if i not in taken]
        taken.append(max(left, key=lambda i: distance(i, taken)))
    return taken


def _distance_from_span(v, W):
    if not len(W):
        return np.linalg.norm(v)
    return np.linalg.norm(v - W.T @ np.linalg.lstsq(W.T, v, rcond=None)[0])


def pivoted_qr(C, n_topics):
    C_bar = C / C.sum(axis=1, keepdims=True)
    return _greedy(lambda i, taken: _distance_from_span(C_bar[i], C_bar[taken]), C, n_topics)


def spa(C, n_topics, *, tie=1e-6):
    C_bar = C / C.sum(axis=1, keepdims=True)
    lengths = np.linalg.norm(C_bar, axis=1)
    taken = []
    for _ in range(n_topics):
        squared = np.array([_distance_from_span(row, C_bar[taken]) ** 2 for row in C_bar])
        squared[taken] = 0
        tied = np.flatnonzero(squared >= (1 - tie) * squared.max())
        taken.append(int(tied[np.argmax(lengths[tied])]))
    return taken


def fast_anchor(C, n_topics):
    C_bar = C / C.sum(axis=1, keepdims=True)

    def distance(i, taken):
        if not taken:
            return np.linalg.norm(C_bar[i])
        origin = C_bar[taken[0]]
        return _distance_from_span(C_bar[i] - origin, C_bar[taken[1:]] - origin)

    return _greedy(distance, C, n_topics)


def nonnegative(A, b):
    """(x, ‖Ax − b‖) for the best x ≥ 0; scipy's nnls before 1.15 gives up on some."""
    found = lsq_linear(A, b, (0, np.inf), method="bvls")
    return found.x, np.sqrt(2 * found.cost)


def snpa(C, n_topics, *, heavy=1e3):
    """Σy ≤ 1 by a slack variable and one heavy equation y₁ + … + y_k + slack = 1."""
    C_bar = C / C.sum(axis=1, keepdims=True)

    def distance(i, taken):
        W = C_bar[taken]
        equations = np.block([[W.T, np.zeros((len(C), 1))], [heavy * np.ones((1, len(taken) + 1))]])
        y = nonnegative(equations, np.append(C_bar[i], heavy))[0][:-1]
        return np.linalg.norm(C_bar[i] - y @ W)

    return _greedy(distance, C, n_topics)


def xray(C, n_topics):
    taken = []
    for _ in range(n_topics):
        residuals = C.copy()
        if taken:
            residuals -= np.array([nonnegative(C[taken].T, row)[0] @ C[taken] for row in C])
        r = residuals[np.argmax(np.linalg.norm(residuals, axis=1))]
        scores = C @ r / C.sum(axis=1)
        scores[taken] = -np.inf
        taken.append(int(np.argmax(scores)))
    return taken


SELECTORS = {"qr": pivoted_qr, "fast": fast_anchor, "spa": spa, "snpa": snpa, "xray": xray}


def divergence(r, q):
    """Σ r log(r/q) over the entries where r is positive."""
    on = r > 0
    return float(np.sum(r[on] * np.log(r[on] / np.maximum(q[on], 1e-300))))


def squared_distance(r, q):
    return float(np.sum((r - q) ** 2))


def fit_on_simplex(loss, X, r):
    """The smallest loss(r, yᵀX) over the simplex."""
    k = len(X)
    result = minimize(
        lambda y: loss(r, y @ X),
        np.full(k, 1 / k),
        bounds=[(0, 1)] * k,
        constraints={"type": "eq", "fun": lambda y: y.sum() - 1},
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-14},
    )
    return result.fun


def membership(B, prevalence):
    """p(topic | word), word by word; the prevalence for a word in no topic."""
    rows = [b * prevalence / (b @ prevalence) if b @ prevalence > 0 else prevalence / sum(prevalence) for b in B]
    return np.array(rows)


def normalised_anchors(C, groups):
    rows = np.array([C[list(group)].sum(axis=0) for group in groups])
    return rows / rows.sum(axis=1, keepdims=True)


def recovery_error(C, B, prevalence, groups, *, relative=False):
    """Lee et al. 2015, section 4, on the full matrix."""
    used = C.sum(axis=1) > 0
    C_bar = C[used] / C[used].sum(axis=1, keepdims=True)
    difference = C_bar - membership(B, prevalence)[used] @ normalised_anchors(C, groups)
    error = np.mean([np.linalg.norm(row) for row in difference])
    return error / np.linalg.norm(C_bar) if relative else error


def approximation_error(C, B, A, *, relative=False):
    error = np.linalg.norm(C - B @ A @ B.T)
    return error / np.linalg.norm(C) if relative else error


def specificity(C, B):
    p = C.sum(axis=1) / C.sum()
    return np.mean([divergence(b, p) / np.log(2) for b in B.T])


def npmi(B, X, n_words):
    """Over pairs of leading words, by looking at every document."""
    present = np.asarray(X) > 0
    topics = []
    for b in B.T:
        leading = np.argsort(-b, kind="stable")[:n_words]
        values = []
        for i, j in itertools.combinations(leading, 2):
            p_i, p_j, p_ij = present[:, i].mean(), present[:, j].mean(), (present[:, i] & present[:, j]).mean()
            if p_ij in (0, 1):
                values.append(2 * p_ij - 1)
            else:
                values.append(np.log(p_ij / (p_i * p_j)) / -np.log(p_ij))
        topics.append(np.mean(values))
    return np.mean(topics)


def spanning_tree_cost(weights):
    """The cheapest tree over all sets of n − 1 edges that connect n nodes."""
    n, best = len(weights), np.inf
    for edges in itertools.combinations(itertools.combinations(range(n), 2), n - 1):
        component = list(range(n))
        for i, j in edges:
            component = [component[i] if c == component[j] else c for c in component]
        if len(set(component)) == 1:
            best = min(best, sum(weights[i, j] for i, j in edges))
    return best


def mst_incoherence(C, B, groups, n_words):
    """Lee et al. 2021, section 5, for few words."""
    C = C / C.sum()
    p = C.sum(axis=1)
    costs = []
    for b, near in zip(B.T, normalised_anchors(C, groups), strict=True):
        ranked = [np.argsort(-scores, kind="stable")[:n_words] for scores in (b, near)]
        words = sorted({int(word) for words in ranked for word in words})
        weights = np.ones((len(words), len(words)))
        for (a, i), (b_, j) in itertools.permutations(enumerate(words), 2):
            if C[i, j] > 0:
                weights[a, b_] = (1 + np.log(C[i, j] / (p[i] * p[j])) / np.log(C[i, j])) / 2
        costs.append(spanning_tree_cost(weights))
    return np.mean(costs)


def log_volume(points):
    """Half the logarithm of the Gram determinant of the edges from the first of points (K, n)."""
    edges = points[1:] - points[0]
    return np.linalg.slogdet(edges @ edges.T)[1] / 2


PER_THOUSAND = 1000  # the unit of frequencies in the experiments of Bing et al. 2020, with p = 1,000 words


def unbiased_theta(X, unit=1):
    """Θ̂ of counts X (documents × words), Bing et al. 2020, (20); frequencies are `unit` times shares of a document."""
    n, p = X.shape
    theta = np.zeros((p, p))
    for h in X:
        N = h.sum()
        x = h / N
        theta += (N / (N - 1) * np.outer(x, x) - np.diag(x) / (N - 1)) / n
    return unit**2 * theta


def scaled_theta(X):
    """R̂ of Bing et al. 2020, (21), which has no unit."""
    n, x = len(X), X / X.sum(axis=1, keepdims=True)
    D_inverse = np.diag(1 / x.sum(axis=0))
    return n**2 * D_inverse @ unbiased_theta(X) @ D_inverse


def tolerances(X, unit=PER_THOUSAND):
    """δ̂ and η̂ of Bing et al. 2020, (50) and (51), pair by pair."""
    n, p = X.shape
    N = X.sum(axis=1)
    x = unit * (X / N[:, None]).T  # words × documents, as in the paper
    log_M = np.log(max(n, p, N.max()))
    theta = unbiased_theta(X, unit)
    eta, delta = np.empty((p, p)), np.empty((p, p))
    for j, l in itertools.product(range(p), repeat=2):
        eta[j, l] = (
            3 * 6**0.5 * (x[j].max() ** 0.5 + x[l].max() ** 0.5) * (log_M / n) ** 0.5 * np.mean(x[j] * x[l] / N) ** 0.5
            + 2 * log_M / n * (x[j].max() + x[l].max()) * np.mean(1 / N)
            + 31 * (log_M**4 / n) ** 0.5 * np.mean((x[j] + x[l]) / N**3) ** 0.5
        )
        relative = n / x[j].sum() * np.mean(x[j] / N) ** 0.5 + n / x[l].sum() * np.mean(x[l] / N) ** 0.5
        bracket = eta[j, l] + 2 * theta[j, l] * (log_M / n) ** 0.5 * relative
        delta[j, l] = n**2 / (x[j].sum() * x[l].sum()) * bracket
    return delta, eta


def find_anchor_words(R, Q, order):
    """Bing et al. 2020, Algorithm 2, with words in this order: sets of words, in the order of their creation."""
    p = len(R)
    # the paper takes any maximum; here, of equal ones, the one with the largest tolerance
    largest = [max(np.flatnonzero(R[i] >= R[i].max() * (1 - 1e-12)), key=lambda l: Q[i, l]) for i in range(p)]
    groups = []
    for i in order:
        a = largest[i]
        near = {l for l in range(p) if R[i, a] - R[i, l] <= Q[i, a] + Q[i, l]}
        if all(abs(R[i, j] - R[j, largest[j]]) <= Q[i, j] + Q[j, largest[j]] for j in near):
            _merge(near, groups)
    return groups


def _merge(near, groups):
    for k, group in enumerate(groups):
        if group & near:
            groups[k] = group & near
            return
    groups.append(near)


def l1_column(theta, k, lam):
    """Bing et al. 2020, (41) and (42): the smallest t with ‖ω‖₁ ≤ t and ‖Θω − e_k‖₁ ≤ λt; t and ω."""
    K = len(theta)
    I, O, one = np.eye(K), np.zeros((K, K)), np.ones((1, K))
    e = I[:, [k]]
    # variables ω, |ω| ≤ u, |Θω − e_k| ≤ s, t
    column = np.zeros((K, 1))
    A_ub = np.block(
        [
            [I, -I, O, column],
            [-I, -I, O, column],
            [theta, O, -I, column],
            [-theta, O, -I, column],
            [0 * one, one, 0 * one, -np.ones((1, 1))],
            [0 * one, 0 * one, one, -lam * np.ones((1, 1))],
        ]
    )
    b_ub = np.concatenate([np.zeros(2 * K), e[:, 0], -e[:, 0], [0, 0]])
    bounds = [(None, None)] * K + [(0, None)] * (2 * K + 1)
    result = linprog(np.append(np.zeros(3 * K), 1), A_ub=A_ub, b_ub=b_ub, bounds=bounds, method="highs")
    assert result.status == 0, result.message
    return result.fun, result.x[:K]


def topics_by_programs(theta, f, eta, groups, L, c0):
    """Bing et al. 2020, (38), (43) and (44): the topics (words × topics) for one word of every group, L."""
    theta_LL = theta[np.ix_(L, L)]
    lam = c0 * max(sum(eta[i, j] for j in L) for i in L)
    if lam == 0:
        omega = np.linalg.inv(theta_LL)
    else:
        omega = np.column_stack([l1_column(theta_LL, k, lam)[1] for k in range(len(L))])
    B = np.maximum(theta[:, L] @ omega, 0)
    for k, group in enumerate(groups):
        for i in group:
            B[i] = 0
            B[i, k] = f[i] / f[L[k]]
    return B / B.sum(axis=0)


def expectation_maximisation(X, B, prevalence, steps, alpha, beta, background=0.0, over_relax=False):
    """PLSA with smoothing and a background: B, W and the mean log-likelihood of a token before each step."""

    def go_on(old, new, axis):
        new = new * np.clip(new / old, 0.1, 10) ** 0.75 if over_relax else new
        return new / new.sum(axis=axis, keepdims=True)

    common, share = background * X.sum(axis=0) / X.sum(), 1 - background
    B = (B + 1e-3 / len(B)) / (B + 1e-3 / len(B)).sum(axis=0)
    W = np.tile(prevalence / prevalence.sum(), (len(X), 1))
    likelihoods = []
    for _ in range(2 if over_relax else 3):  # documents alone
        old, W = W, W * share * ((X / (share * W @ B.T + common)) @ B) + alpha
        W = go_on(old, W / W.sum(axis=1, keepdims=True), axis=1)
    for step in range(steps):
        Q = share * W @ B.T + common
        likelihoods.append((X * np.log(Q)).sum() / X.sum())
        responsibility = share * W[:, None, :] * B[None] / Q[:, :, None]  # documents × words × topics
        tokens = X[:, :, None] * responsibility
        over_relax = over_relax and step < steps - 1
        old_W, W, old_B, B = W, tokens.sum(axis=1) + alpha, B, tokens.sum(axis=0) + beta
        W = go_on(old_W, W / W.sum(axis=1, keepdims=True), axis=1)
        B = go_on(old_B, B / B.sum(axis=0), axis=0)
    return B, W, likelihoods


def mixture_steps(x, P, n_iter, smoothing=0.0, common=0.0):
    """Plain EM for max Σ x log(Py + common) + Σ smoothing log y over the simplex: y at first and after every step."""
    k = P.shape[1]
    ys = [np.full(k, 1 / k)]
    for _ in range(n_iter):
        q = P @ ys[-1] + common
        N = np.array([sum(x[i] * ys[-1][j] * P[i, j] / q[i] for i in range(len(x)) if x[i] > 0) for j in range(k)])
        ys.append((N + smoothing) / (N + smoothing).sum())
    return ys


def linear_bayes(x, P, mean, covariance, n_iter, common):
    """The prior-aware estimate with full matrices: variational shares, then the best linear estimate from them."""
    n, k = x.sum(), len(mean)
    relative = covariance @ np.diag(1 / mean)
    y = mean
    for _ in range(n_iter):
        gain = np.linalg.solve(np.eye(k) + (n - 1) * relative, relative)
        # a Dirichlet with total t has gain (I − mean 1ᵀ)/t, so the diagonal gives t
        t = (1 - mean) / np.diag(gain)
        weights = np.exp(digamma(np.maximum(y * t, 0.01)) - digamma(t))
        N = x @ (P * weights / (P @ weights + common)[:, None])
        n = N.sum()
        y = np.maximum(mean + gain @ N, 0)
        y = y / y.sum()
    return y


def variational_dirichlet(x, P, alpha, n_iter):
    """Posterior mean of a mixture with a Dirichlet prior; Blei, Ng and Jordan 2003, Eqs. 6 and 7."""
    gamma = alpha * (1 + x.sum() / alpha.sum())
    for _ in range(n_iter):
        weights = np.exp(digamma(gamma))
        gamma = alpha + x @ (P * weights / (P @ weights)[:, None])
    return gamma / gamma.sum()


def one_topic_steps(X, B, prevalence, n_steps, smoothing, size, annealed):
    """Topics of documents that have one each; a document's own words are taken out of what it is compared with."""
    D, V = X.shape
    K = B.shape[1]
    B = B + 1e-3 / V
    B = B / B.sum(axis=0)
    P, tokens, sizes, likelihood = np.zeros((D, K)), None, D * prevalence / prevalence.sum(), 0.0
    for step in range(n_steps + 1):
        power = min(1.0, 0.5 + 0.5 * step / annealed) if annealed else 1.0
        new, likelihood = np.zeros((D, K)), 0.0
        for d in range(D):
            scores = np.empty(K)
            for k in range(K):
                if tokens is None:
                    p = B[:, k]
                else:
                    others = tokens[:, k] - P[d, k] * X[d] + smoothing
                    p = others / (tokens[:, k].sum() - P[d, k] * X[d].sum() + V * smoothing)
                scores[k] = power * (X[d] @ np.log(p)) + np.log((sizes[k] - P[d, k] + size) / (D + K * size))
            new[d] = np.exp(scores - scores.max())
            likelihood += scores.max() + np.log(new[d].sum())
            new[d] /= new[d].sum()
        P = new
        tokens, sizes = X.T @ P, P.sum(axis=0)
    return (tokens + smoothing) / (tokens + smoothing).sum(axis=0), P, likelihood
