// The pass over documents of refine/kernels.py in Rust, for ctypes: what PyO3 would wrap. Compiled by
//   rustc -O -C target-cpu=native --crate-type cdylib document_pass.rs

const TINY: f64 = 1e-30;
const FARTHEST: f64 = 10.0;

#[inline(always)]
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let n = a.len();
    let (mut result, mut l) = (0f32, 0);
    if n >= 8 {
        let mut s = [0f32; 8];
        while l + 8 <= n {
            for i in 0..8 {
                s[i] += a[l + i] * b[l + i];
            }
            l += 8;
        }
        let mut s4 = [s[0] + s[4], s[1] + s[5], s[2] + s[6], s[3] + s[7]];
        if l + 4 <= n {
            for i in 0..4 {
                s4[i] += a[l + i] * b[l + i];
            }
            l += 4;
        }
        result = (s4[0] + s4[2]) + (s4[1] + s4[3]);
    }
    while l < n {
        result += a[l] * b[l];
        l += 1;
    }
    result
}

#[inline(always)]
fn total(a: &[f64]) -> f64 {
    let n = a.len();
    let (mut result, mut l) = (0f64, 0);
    if n >= 8 {
        let mut s = [0f64; 8];
        while l + 8 <= n {
            for i in 0..8 {
                s[i] += a[l + i];
            }
            l += 8;
        }
        let mut s4 = [s[0] + s[4], s[1] + s[5], s[2] + s[6], s[3] + s[7]];
        if l + 4 <= n {
            for i in 0..4 {
                s4[i] += a[l + i];
            }
            l += 4;
        }
        result = (s4[0] + s4[2]) + (s4[1] + s4[3]);
    }
    while l < n {
        result += a[l];
        l += 1;
    }
    result
}

/// # Safety
/// The arrays must be as long as `indptr`, `n_words` and `n_topics` say.
#[no_mangle]
pub unsafe extern "C" fn document_pass(
    indptr: *const i32, indices: *const i32, data: *const f32, b: *const f32, w: *mut f32, n_words: i64, n_topics: i64,
    n_documents: i64, kappa: f64, common: *const f64, ratios: *mut f32,
) {
    let (k, m) = (n_topics as usize, n_documents as usize);
    let indptr = std::slice::from_raw_parts(indptr, m + 1);
    let n = indptr[m] as usize;
    let indices = std::slice::from_raw_parts(indices, n);
    let data = std::slice::from_raw_parts(data, n);
    let b = std::slice::from_raw_parts(b, n_words as usize * k);
    let w = std::slice::from_raw_parts_mut(w, m * k);
    let common = std::slice::from_raw_parts(common, n_words as usize);
    let ratios = std::slice::from_raw_parts_mut(ratios, n);
    let row = |e: usize| &b[indices[e] as usize * k..][..k];
    let mut new = vec![0f64; k];
    for d in 0..m {
        let w = &mut w[d * k..][..k];
        let (begin, end) = (indptr[d] as usize, indptr[d + 1] as usize);
        for e in begin..end {
            let product = kappa * dot(w, row(e)) as f64 + common[indices[e] as usize];
            ratios[e] = product.max(TINY) as f32;
        }
        for e in begin..end {
            ratios[e] = kappa as f32 * data[e] / ratios[e];
        }
        new.fill(0.0);
        let mut e = begin;
        while e + 4 <= end {
            let (r0, r1, r2, r3) = (row(e), row(e + 1), row(e + 2), row(e + 3));
            let (w0, w1, w2, w3) = (ratios[e], ratios[e + 1], ratios[e + 2], ratios[e + 3]);
            for i in 0..k {
                new[i] += ((w0 * r0[i] + w1 * r1[i]) + (w2 * r2[i] + w3 * r3[i])) as f64;
            }
            e += 4;
        }
        while e < end {
            let r = row(e);
            for i in 0..k {
                new[i] += (ratios[e] * r[i]) as f64;
            }
            e += 1;
        }
        for i in 0..k {
            new[i] *= w[i] as f64;
        }
        let weight = total(&new);
        if weight > 0.0 {
            for i in 0..k {
                new[i] /= weight;
                let factor = (new[i] / (w[i] as f64).max(TINY)).max(1.0 / FARTHEST).min(FARTHEST);
                new[i] *= factor.sqrt() * factor.sqrt().sqrt();
            }
            let sum = total(&new);
            for i in 0..k {
                w[i] = (new[i] / sum) as f32;
            }
        }
    }
}
