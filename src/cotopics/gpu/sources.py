"""The kernels in CUDA C, compiled when they are first used (`kernels.py` says what is in the arrays).

A warp works on one row: a document, or a part of the documents of one word. Its 32 lanes are S = 32 / G groups of G
lanes. A group reads one row of a matrix M at a time, R vectors of four numbers a lane, so that 4 · G · R is at least
the number of columns; rows of M begin at multiples of four numbers, and what fills them up is zero. Sums are added in
an order that depends on the row alone, by shuffles in a tree, and no two warps add to the same number: so the answer is
the same every time.
"""

COMMON = r"""
#define FULL 0xffffffffu
typedef long long i64;

__device__ __forceinline__ float in_warp(float x) {
    for (int o = 16; o > 0; o >>= 1) x += __shfl_xor_sync(FULL, x, o);
    return x;
}
__device__ __forceinline__ double in_warp(double x) {
    for (int o = 16; o > 0; o >>= 1) x += __shfl_xor_sync(FULL, x, o);
    return x;
}
"""

IN_GROUPS = r"""
#define S (32 / G)

__device__ __forceinline__ float in_group(float x) {
    for (int o = G / 2; o > 0; o >>= 1) x += __shfl_xor_sync(FULL, x, o);
    return x;
}
__device__ __forceinline__ float over_groups(float x) {
    for (int o = G; o < 32; o <<= 1) x += __shfl_xor_sync(FULL, x, o);
    return x;
}
__device__ __forceinline__ double over_groups(double x) {
    for (int o = G; o < 32; o <<= 1) x += __shfl_xor_sync(FULL, x, o);
    return x;
}
__device__ __forceinline__ float dot4(float4 a, float4 b) {
    return (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w);
}
__device__ __forceinline__ void add4(float4 &s, float r, float4 a) {
    s.x += r * a.x; s.y += r * a.y; s.z += r * a.z; s.w += r * a.w;
}
__device__ __forceinline__ void load(const float4 *M, i64 row, int width, int lane, float4 v[R]) {
    const float4 zero = make_float4(0.f, 0.f, 0.f, 0.f);
    #pragma unroll
    for (int r = 0; r < R; r++) {
        int c = lane + G * r;
        v[r] = c < width ? M[row * width + c] : zero;
    }
}

// acc += sum over e of ratio_e M[indices_e], where ratio_e is kappa x/q with q = kappa v . M[indices_e] + a; `a` is
// own, or scale common[indices_e] where common is not null. Returns sum of x log q if asked for, the same in all lanes.
__device__ double gather(const int *indices, const float *data, i64 begin, i64 end, const float4 *M, int width,
                         const float4 v[R], const float *common, float scale, float own, float kappa, bool likely,
                         float4 acc[R]) {
    int lane = threadIdx.x & 31, group = lane / G, place = lane % G;
    double likelihood = 0.0;
    for (i64 base = begin; base < end; base += 2 * S) {
        i64 e0 = base + group, e1 = e0 + S;
        bool has0 = e0 < end, has1 = e1 < end;
        int i0 = indices[has0 ? e0 : begin], i1 = indices[has1 ? e1 : begin];
        float x0 = has0 ? data[e0] : 0.f, x1 = has1 ? data[e1] : 0.f;
        float4 m0[R], m1[R];
        load(M, i0, width, place, m0);
        load(M, i1, width, place, m1);
        float s0 = 0.f, s1 = 0.f;
        #pragma unroll
        for (int r = 0; r < R; r++) { s0 += dot4(v[r], m0[r]); s1 += dot4(v[r], m1[r]); }
        s0 = in_group(s0); s1 = in_group(s1);
        float q0 = fmaxf(kappa * s0 + (common ? scale * common[i0] : own), 1e-30f);
        float q1 = fmaxf(kappa * s1 + (common ? scale * common[i1] : own), 1e-30f);
        float r0 = kappa * x0 / q0, r1 = kappa * x1 / q1;
        if (likely) likelihood += (double)(x0 * logf(q0)) + (double)(x1 * logf(q1));
        #pragma unroll
        for (int r = 0; r < R; r++) { add4(acc[r], r0, m0[r]); add4(acc[r], r1, m1[r]); }
    }
    #pragma unroll
    for (int r = 0; r < R; r++) {
        acc[r].x = over_groups(acc[r].x); acc[r].y = over_groups(acc[r].y);
        acc[r].z = over_groups(acc[r].z); acc[r].w = over_groups(acc[r].w);
    }
    return over_groups(likelihood);
}
"""

SUMS = r"""
__device__ __forceinline__ float transformed(float x, int how) {  // 0: x, 1: 1 + log x from 1 on, 2: log(1 + x)
    return how == 0 ? x : how == 2 ? log1pf(x) : x >= 1.f ? 1.f + logf(x) : x;
}

// out[s] = sum over e of value_e, or its square, where value_e = f(data_e) own[row_s] other[indices_e].
extern "C" __global__ void sums(const i64 *bounds, const int *row_of, const int *indices, const float *data,
                                const double *own, const double *other, int how, int square, int n, double *out) {
    i64 s = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (s >= n) return;
    double total = 0.0;
    for (i64 e = bounds[s] + (threadIdx.x & 31); e < bounds[s + 1]; e += 32) {
        double value = (double)transformed(data[e], how);
        if (other) value *= other[indices[e]];
        if (square) value *= value;
        total += value;
    }
    total = in_warp(total);
    double factor = own ? own[row_of ? row_of[s] : s] : 1.0;
    if ((threadIdx.x & 31) == 0) out[s] = total * (square ? factor * factor : factor);
}

// out_e = f(data_e) own[row_s] other[indices_e].
extern "C" __global__ void formed(const i64 *bounds, const int *row_of, const int *indices, const float *data,
                                  const double *own, const double *other, int how, int n, float *out) {
    i64 s = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (s >= n) return;
    double factor = own ? own[row_of ? row_of[s] : s] : 1.0;
    for (i64 e = bounds[s] + (threadIdx.x & 31); e < bounds[s + 1]; e += 32) {
        double value = (double)transformed(data[e], how) * factor;
        out[e] = (float)(other ? value * other[indices[e]] : value);
    }
}

// out_c of row i = sum of part_c of its parts, in their order, in double precision.
template <typename T>
__device__ void add_parts(const T *parts, const int *first_part, int n_columns, int padded, i64 n_rows, double *out) {
    i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n_rows * n_columns) return;
    i64 row = i / n_columns, c = i % n_columns;
    double total = 0.0;
    for (int p = first_part[row]; p < first_part[row + 1]; p++) total += (double)parts[(i64)p * padded + c];
    out[i] = total;
}
extern "C" __global__ void combine(const float *parts, const int *first_part, int n_columns, int padded, i64 n_rows,
                                   double *out) { add_parts(parts, first_part, n_columns, padded, n_rows, out); }
extern "C" __global__ void combine_double(const double *parts, const int *first_part, int n_columns, int padded,
                                          i64 n_rows, double *out) {
    add_parts(parts, first_part, n_columns, padded, n_rows, out);
}

// out[s] = sum over e of data_e M[indices_e], summed in double precision; 32 columns at a time.
template <typename T>
__device__ void multiply(const i64 *bounds, const int *indices, const float *data, const float *M, int padded, int n,
                         T *out) {
    i64 s = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (s >= n) return;
    for (int c = threadIdx.x & 31; c < padded; c += 32) {
        double total = 0.0;
        for (i64 e = bounds[s]; e < bounds[s + 1]; e++) total += (double)(data[e] * M[(i64)indices[e] * padded + c]);
        out[s * padded + c] = (T)total;
    }
}
extern "C" __global__ void product(const i64 *bounds, const int *indices, const float *data, const float *M, int padded,
                                   int n, float *out) { multiply(bounds, indices, data, M, padded, n, out); }
extern "C" __global__ void product_double(const i64 *bounds, const int *indices, const float *data, const float *M,
                                          int padded, int n, double *out) {
    multiply(bounds, indices, data, M, padded, n, out);
}
"""

PASSES = r"""
__device__ void store(float4 *M, i64 row, int width, const float4 v[R]) {
    int lane = threadIdx.x & 31;
    if (lane / G != 0) return;
    #pragma unroll
    for (int r = 0; r < R; r++) if (lane + G * r < width) M[row * width + lane + G * r] = v[r];
}

// Parts of words: out[s] = sum over the documents of part s of ratio W_d, v the topics B_w of the word.
extern "C" __global__ void word_parts(const i64 *bounds, const int *row_of, const int *indices, const float *data,
                                      const float4 *M, const float4 *V, const float *own, float kappa, int width,
                                      int n, float4 *out) {
    i64 s = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (s >= n) return;
    float4 v[R], acc[R];
    #pragma unroll
    for (int r = 0; r < R; r++) acc[r] = make_float4(0.f, 0.f, 0.f, 0.f);
    int row = row_of[s];
    load(V, row, width, (threadIdx.x & 31) % G, v);
    gather(indices, data, bounds[s], bounds[s + 1], M, width, v, 0, 1.f, own[row], kappa, false, acc);
    store(out, s, width, acc);
}

__device__ __forceinline__ float leap(float before, float now) {
    float factor = fminf(fmaxf(now / fmaxf(before, 1e-30f), 0.1f), 10.f), root = sqrtf(factor);
    return now * root * sqrtf(root);
}

// Documents' topics W become new ones, in place; likelihoods[d] = sum of x log q where that is asked for.
extern "C" __global__ void document_pass(const i64 *bounds, const int *indices, const float *data, const float4 *B,
                                         float4 *W, const float *common, float kappa, float smoothing, int K,
                                         int relax, int likely, int width, int n, double *likelihoods) {
    i64 d = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (d >= n) return;
    int place = (threadIdx.x & 31) % G;
    float4 v[R], acc[R];
    load(W, d, width, place, v);
    #pragma unroll
    for (int r = 0; r < R; r++) acc[r] = make_float4(0.f, 0.f, 0.f, 0.f);
    i64 begin = bounds[d], end = bounds[d + 1];
    double found = gather(indices, data, begin, end, B, width, v, common, 1.f, 0.f, kappa, likely, acc);
    float *old = (float *)v, *now = (float *)acc;
    float weight = 0.f;
    #pragma unroll
    for (int i = 0; i < 4 * R; i++) {
        int k = 4 * (place + G * (i / 4)) + i % 4;
        now[i] = k < K ? now[i] * old[i] + smoothing : 0.f;
        weight += now[i];
    }
    weight = in_group(weight);
    if (weight > 0.f) {
        float scale = 1.f / weight;
        #pragma unroll
        for (int i = 0; i < 4 * R; i++) now[i] *= scale;
        if (relax) {
            weight = 0.f;
            #pragma unroll
            for (int i = 0; i < 4 * R; i++) { now[i] = leap(old[i], now[i]); weight += now[i]; }
            scale = 1.f / in_group(weight);
            #pragma unroll
            for (int i = 0; i < 4 * R; i++) now[i] *= scale;
        }
        store(W, d, width, acc);
    }
    if (likely && (threadIdx.x & 31) == 0) likelihoods[d] = found;
}
"""

SHARES = r"""
__device__ __forceinline__ float digamma(float x) {  // of x + 5 by the asymptotic series, less 1/x + ... + 1/(x + 4)
    float below = 0.f, y = x;
    if (x < 20.f) {
        below = 1.f / x + 1.f / (x + 1.f) + 1.f / (x + 2.f) + 1.f / (x + 3.f) + 1.f / (x + 4.f);
        y = x + 5.f;
    }
    float inverse = 1.f / y, s = inverse * inverse;
    return logf(y) - 0.5f * inverse - s * (1.f / 12.f - s * (1.f / 120.f - s * (1.f / 252.f))) - below;
}

// As `linear_bayes` of cotopics.linalg.kernels.mixture. Arrays by direction: Ut, squares (d, K). Shared memory of a
// block, for each warp: weights (4 width), shares (4 width), gain (16), moved (16).
extern "C" __global__ void linear_bayes(const i64 *bounds, const int *indices, const float *data, const float4 *P,
                                        const float *offsets, const float *mean, const float *U, const float *Ut,
                                        const float *squares, const float *beyond, const float *v, float rest,
                                        int K, int d, float tolerance, int max_iter, int width, int n,
                                        float *Y, float *explained, int *steps) {
    extern __shared__ float shared[];
    const float LEAST = 0.01f;
    i64 row = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= n) return;
    int lane = threadIdx.x & 31, place = lane % G;
    float *weights = shared + (threadIdx.x / 32) * (8 * width + 32), *shares = weights + 4 * width;
    float *gain = shares + 4 * width, *moved = gain + 16;
    i64 begin = bounds[row], end = bounds[row + 1];
    float *y = Y + row * K;
    float total = explained[row], change = 1e30f;
    int used = 0;
    for (int k = K + lane; k < 4 * width; k += 32) weights[k] = 0.f;
    while (change > tolerance && used < max_iter) {
        float gain_rest = rest / fmaxf((1.f - rest) + total * rest, LEAST);
        if (lane < d) gain[lane] = v[lane] / fmaxf((1.f - v[lane]) + total * v[lane], LEAST);
        __syncwarp();
        float largest = -1e30f;  // all weights are divided by the largest: the smallest would not be numbers
        for (int k = lane; k < K; k += 32) {
            float spread = gain_rest * beyond[k];
            for (int c = 0; c < d; c++) spread += squares[c * K + k] * gain[c];
            float t = fmaxf(spread > 0.f ? (1.f - mean[k]) / spread : total, LEAST);
            weights[k] = digamma(fmaxf(y[k] * t, LEAST)) - digamma(t);
            largest = fmaxf(largest, weights[k]);
        }
        for (int o = 16; o > 0; o >>= 1) largest = fmaxf(largest, __shfl_xor_sync(FULL, largest, o));
        for (int k = lane; k < K; k += 32) weights[k] = expf(weights[k] - largest);
        float scale = fminf(expf(-largest), 1e30f);
        __syncwarp();
        float4 w[R], acc[R];
        load((const float4 *)weights, 0, width, place, w);
        #pragma unroll
        for (int r = 0; r < R; r++) acc[r] = make_float4(0.f, 0.f, 0.f, 0.f);
        gather(indices, data, begin, end, P, width, w, offsets, scale, 0.f, 1.f, false, acc);
        if (lane < G) {
            #pragma unroll
            for (int r = 0; r < R; r++) if (place + G * r < width) ((float4 *)shares)[place + G * r] = acc[r];
        }
        __syncwarp();
        total = 0.f;
        for (int k = lane; k < K; k += 32) {
            float own = shares[k] * weights[k];
            total += own;
            weights[k] = own * rsqrtf(mean[k]);  // z
            shares[k] = own;
        }
        total = in_warp(total);
        __syncwarp();
        float s = 0.f;
        int c = lane & 15;
        if (c < d) for (int k = lane / 16; k < K; k += 2) s += weights[k] * U[k * d + c];
        s += __shfl_xor_sync(FULL, s, 16);
        if (lane < d) moved[lane] = s * (gain[lane] - gain_rest);
        __syncwarp();
        float weight = 0.f;
        for (int k = lane; k < K; k += 32) {
            float further = 0.f;
            for (int j = 0; j < d; j++) further += Ut[j * K + k] * moved[j];
            float here = mean[k] + gain_rest * (shares[k] - total * mean[k]);
            shares[k] = fmaxf(here + sqrtf(mean[k]) * further, 0.f);
            weight += shares[k];
        }
        weight = in_warp(weight);
        change = 0.f;
        for (int k = lane; k < K; k += 32) {
            float now = shares[k] / weight;
            change += fabsf(now - y[k]);
            y[k] = now;
        }
        change = in_warp(change);
        used++;
        __syncwarp();
    }
    if (lane == 0) { explained[row] = total; steps[row] = change <= tolerance ? used : -1; }
}
"""

ONE_TOPIC = r"""
// As `one_topic_pass` of cotopics.refine.kernels, up to single precision; likelihoods (n), changes (n). Shared memory
// of a block, for each warp: a double for every topic, in multiples of 32.
extern "C" __global__ void one_topic_pass(const i64 *bounds, const int *indices, const float *data, const double *table,
                                          const double *tokens, const double *totals, const double *sizes,
                                          double smoothing, double size, double beta, double n_words, int K, int n,
                                          float *P, double *likelihoods, double *changes) {
    extern __shared__ double scores[];
    i64 d = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (d >= n) return;
    int lane = threadIdx.x & 31;
    double *score = scores + (threadIdx.x / 32) * ((K + 31) / 32 * 32);
    i64 begin = bounds[d], end = bounds[d + 1];
    float *p = P + d * K;
    double length = 0.0, largest = -1e300;
    for (i64 e = begin + lane; e < end; e += 32) length += (double)data[e];
    length = in_warp(length);
    for (int k = lane; k < K; k += 32) {
        double s = 0.0, own = (double)p[k];
        if (own > 1e-4) {
            double among = log(fmax(totals[k] - own * length, 0.0) + n_words * smoothing);
            for (i64 e = begin; e < end; e++) {
                double others = fmax(tokens[(i64)indices[e] * K + k] - own * data[e], 0.0);
                s += data[e] * (log(others + smoothing) - among);
            }
        } else
            for (i64 e = begin; e < end; e++) s += (double)data[e] * table[(i64)indices[e] * K + k];
        s = beta * s + log(fmax(sizes[k] - own, 0.0) + size);
        score[k] = s;
        largest = fmax(largest, s);
    }
    for (int o = 16; o > 0; o >>= 1) largest = fmax(largest, __shfl_xor_sync(FULL, largest, o));
    double weight = 0.0, change = 0.0;
    for (int k = lane; k < K; k += 32) weight += exp(score[k] - largest);
    weight = in_warp(weight);
    for (int k = lane; k < K; k += 32) {
        double now = exp(score[k] - largest) / weight;
        change += fabs(now - (double)p[k]);
        p[k] = (float)now;
    }
    change = in_warp(change);
    if (lane == 0) { likelihoods[d] = largest + log(weight); changes[d] = change; }
}
"""

GENERAL = COMMON + SUMS + ONE_TOPIC
FOR_ROWS = COMMON + IN_GROUPS + PASSES + SHARES  # compiled with -DG= and -DR=
