// Two kernels of cotopics in C++: the active-set method of linalg/kernels/simplex.py and the pass over documents of
// refine/kernels.py. Sums are made in the order of linalg/kernels/ordered_sums.py, so bits are to be the same.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#ifdef CLONES  // one library for all processors: each function for three instruction sets, chosen when it is loaded
#define KERNEL __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"), flatten))
#else
#define KERNEL __attribute__((flatten))
#endif

namespace nb = nanobind;
template <class T> using Matrix = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T> using Column = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Index = std::int64_t;

constexpr double TINY = 1e-30, FARTHEST = 10.0;

// Eight sums, folded to four, to two and to one; the lanes are what the compiler makes a vector of.
template <class T> inline T fold(const T *s4) { return (s4[0] + s4[2]) + (s4[1] + s4[3]); }

template <class T> inline T dot(const T *a, const T *b, Index n) {
    T result = 0;
    Index l = 0;
    if (n >= 8) {
        T s[8] = {};
        for (; l + 8 <= n; l += 8)
            for (int i = 0; i < 8; ++i) s[i] += a[l + i] * b[l + i];
        for (int i = 0; i < 4; ++i) s[i] += s[i + 4];
        if (l + 4 <= n) {
            for (int i = 0; i < 4; ++i) s[i] += a[l + i] * b[l + i];
            l += 4;
        }
        result = fold(s);
    }
    for (; l < n; ++l) result += a[l] * b[l];
    return result;
}

template <class T> inline T total(const T *a, Index n) {
    T result = 0;
    Index l = 0;
    if (n >= 8) {
        T s[8] = {};
        for (; l + 8 <= n; l += 8)
            for (int i = 0; i < 8; ++i) s[i] += a[l + i];
        for (int i = 0; i < 4; ++i) s[i] += s[i + 4];
        if (l + 4 <= n) {
            for (int i = 0; i < 4; ++i) s[i] += a[l + i];
            l += 4;
        }
        result = fold(s);
    }
    for (; l < n; ++l) result += a[l];
    return result;
}

// --- least squares on the simplex -----------------------------------------------------------------------------------

struct Problem {
    const double *G;
    Index k;
    std::vector<double> L, z, w, y, g;
    std::vector<Index> P;
    Problem(const double *G, Index k) : G(G), k(k), L(k * k), z(k), w(k), y(k), g(k), P(k) {}

    inline bool extend(Index p) {
        const Index j = P[p];
        double pivot = G[j * k + j] + 1.0;
        for (Index a = 0; a < p; ++a) {
            L[p * k + a] = (G[j * k + P[a]] + 1.0 - dot(&L[a * k], &L[p * k], a)) / L[a * k + a];
            pivot -= L[p * k + a] * L[p * k + a];
        }
        if (pivot <= 1e-14 * (G[j * k + j] + 1.0)) return false;
        L[p * k + p] = std::sqrt(pivot);
        return true;
    }

    inline void solve(const double *f, Index p) {
        for (Index a = 0; a < p; ++a) {
            z[a] = (f[P[a]] - dot(&L[a * k], z.data(), a)) / L[a * k + a];
            w[a] = (1.0 - dot(&L[a * k], w.data(), a)) / L[a * k + a];
        }
        for (Index a = p - 1; a >= 0; --a) {
            z[a] /= L[a * k + a];
            w[a] /= L[a * k + a];
            for (Index b = 0; b < a; ++b) {
                z[b] -= L[a * k + b] * z[a];
                w[b] -= L[a * k + b] * w[a];
            }
        }
        const double multiplier = (total(z.data(), p) - 1.0) / total(w.data(), p);
        for (Index a = 0; a < p; ++a) z[a] -= multiplier * w[a];
    }

    inline Index drop_zeros(Index p) {
        Index kept = 0, first = p;
        for (Index a = 0; a < p; ++a) {
            if (z[a] > 0.0) {
                P[kept] = P[a];
                z[kept] = z[a];
                ++kept;
            } else {
                first = std::min(first, a);
            }
        }
        for (Index a = first; a < kept; ++a) extend(a);
        return kept;
    }

    inline Index start(const double *guess, const double *f) {
        Index p = 0;
        for (Index j = 0; j < k; ++j) {
            y[j] = 0.0;
            if (guess[j] > 0.0) {
                P[p] = j;
                if (extend(p)) ++p;
            }
        }
        for (;;) {
            solve(f, p);
            const Index kept = drop_zeros(p);
            if (kept == p) break;
            p = kept;
        }
        for (Index a = 0; a < p; ++a) y[P[a]] = z[a];
        return p;
    }

    inline Index descend(const double *f, Index p, bool &moved) {
        moved = false;
        for (;;) {
            solve(f, p);
            double alpha = 1.0;
            Index leave = -1;
            for (Index a = 0; a < p; ++a) {
                const double ya = y[P[a]];
                if (z[a] <= 0.0 && ya <= alpha * (ya - z[a])) {
                    alpha = ya / (ya - z[a]);
                    leave = a;
                }
            }
            moved = moved || alpha > 0.0;
            if (leave < 0) {
                for (Index a = 0; a < p; ++a) y[P[a]] = z[a];
                return p;
            }
            for (Index a = 0; a < p; ++a) {
                const double ya = y[P[a]];
                z[a] = a != leave ? std::max(ya + alpha * (z[a] - ya), 0.0) : 0.0;
            }
            const double weight = total(z.data(), p);
            for (Index a = 0; a < p; ++a) y[P[a]] = z[a] / weight;
            p = drop_zeros(p);
        }
    }
};

KERNEL void active_set_rows(const double *G, Index k, const double *F, const double *guess, double tolerance, Index first,
                            Index last, double *Y, double *gap, Index *steps) {
    Problem q(G, k);
    std::vector<char> blocked(k);
    for (Index i = first; i < last; ++i) {
        const double *f = F + i * k;
        std::fill(blocked.begin(), blocked.end(), 0);
        Index p = q.start(guess + i * k, f), step = 0;
        for (;;) {
            double *g = q.g.data();
            for (Index j = 0; j < k; ++j) g[j] = -f[j];
            for (Index a = 0; a < p; ++a) {
                const double ya = q.y[q.P[a]], *row = G + q.P[a] * k;
                for (Index j = 0; j < k; ++j) g[j] += row[j] * ya;
            }
            const double mean = dot(g, q.y.data(), k);
            Index enter = -1;
            double least = mean, lowest = mean - tolerance;
            for (Index j = 0; j < k; ++j) {
                least = std::min(least, g[j]);
                if (q.y[j] == 0.0 && !blocked[j] && g[j] < lowest) {
                    enter = j;
                    lowest = g[j];
                }
            }
            gap[i] = mean - least;
            if (enter < 0 || step >= 10 * k) break;
            ++step;
            q.P[p] = enter;
            if (!q.extend(p)) {
                blocked[enter] = 1;
                continue;
            }
            bool moved;
            p = q.descend(f, p + 1, moved);
            if (moved)
                std::fill(blocked.begin(), blocked.end(), 0);
            else
                blocked[enter] = 1;
        }
        std::copy(q.y.begin(), q.y.end(), Y + i * k);
        steps[i] = step;
    }
}

// --- expectation-maximisation ---------------------------------------------------------------------------------------

KERNEL double documents(const std::int32_t *indptr, const std::int32_t *indices, const float *data, const float *B, Index K,
                        float *W, double kappa, const double *a, double smoothing, Index first, Index last, bool relax,
                        bool with_likelihood, float *ratios) {
    double likelihood = 0.0;
    const float share = static_cast<float>(kappa);
    std::vector<double> fresh(K);
    double *x = fresh.data();
    for (Index d = first; d < last; ++d) {
        float *w = W + d * K;
        const Index begin = indptr[d], end = indptr[d + 1];
        for (Index e = begin; e < end; ++e) ratios[e] = dot(w, B + indices[e] * K, K);
        for (Index e = begin; e < end; ++e) ratios[e] = static_cast<float>(std::max(kappa * ratios[e] + a[indices[e]], TINY));
        if (with_likelihood)
            for (Index e = begin; e < end; ++e) likelihood += data[e] * std::log(ratios[e]);
        for (Index e = begin; e < end; ++e) ratios[e] = share * data[e] / ratios[e];
        std::fill(fresh.begin(), fresh.end(), 0.0);
        Index e = begin;
        for (; e + 4 <= end; e += 4) {
            const float *r0 = B + indices[e] * K, *r1 = B + indices[e + 1] * K;
            const float *r2 = B + indices[e + 2] * K, *r3 = B + indices[e + 3] * K;
            const float w0 = ratios[e], w1 = ratios[e + 1], w2 = ratios[e + 2], w3 = ratios[e + 3];
            for (Index k = 0; k < K; ++k) x[k] += (w0 * r0[k] + w1 * r1[k]) + (w2 * r2[k] + w3 * r3[k]);
        }
        for (; e < end; ++e)
            for (Index k = 0; k < K; ++k) x[k] += ratios[e] * B[indices[e] * K + k];
        for (Index k = 0; k < K; ++k) x[k] = x[k] * w[k] + smoothing;
        const double weight = total(x, K);
        if (weight > 0) {
            for (Index k = 0; k < K; ++k) x[k] /= weight;
            if (relax) {
                for (Index k = 0; k < K; ++k) {
                    const double old = std::max(static_cast<double>(w[k]), TINY);
                    const double factor = std::min(std::max(x[k] / old, 1.0 / FARTHEST), FARTHEST);
                    x[k] *= std::sqrt(factor) * std::sqrt(std::sqrt(factor));
                }
                const double sum = total(x, K);
                for (Index k = 0; k < K; ++k) x[k] /= sum;
            }
            for (Index k = 0; k < K; ++k) w[k] = static_cast<float>(x[k]);
        }
    }
    return likelihood;
}

NB_MODULE(NAME, m) {
    m.def("active_set", [](Matrix<const double> G, Matrix<const double> F, Matrix<const double> guess, double tolerance,
                           Index first, Index last, Matrix<double> Y, Column<double> gap, Column<Index> steps) {
        nb::gil_scoped_release release;
        active_set_rows(G.data(), G.shape(0), F.data(), guess.data(), tolerance, first, last, Y.data(), gap.data(),
                        steps.data());
    });
    m.def("document_pass", [](Column<const std::int32_t> indptr, Column<const std::int32_t> indices,
                              Column<const float> data, Matrix<const float> B, Matrix<float> W, double kappa,
                              Column<const double> a, double smoothing, Index first, Index last, bool relax,
                              bool with_likelihood, Column<float> ratios) {
        nb::gil_scoped_release release;
        return documents(indptr.data(), indices.data(), data.data(), B.data(), B.shape(1), W.data(), kappa, a.data(),
                         smoothing, first, last, relax, with_likelihood, ratios.data());
    });
}
