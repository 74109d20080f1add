"""CUDA C of `cotopics.gpu` on the processor: lanes of a warp take turns, from one shuffle or __syncwarp to the next.

`simulated()` is a `Device` whose kernels are `CudaKernels` themselves, on numpy arrays: the same source, by g++.
"""

import ctypes
import re
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

from cotopics.gpu.device import Device
from cotopics.gpu.kernels import CudaKernels

COMPILER = shutil.which("g++") if sys.platform == "linux" else None
LANES = r"""
#include <algorithm>
#include <cmath>
#include <functional>
#include <ucontext.h>
#include <vector>
#define __global__
#define __device__
#define __forceinline__ inline
using namespace std;
struct float4 { float x, y, z, w; };
static float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
struct Place { long long x; };
static Place threadIdx, blockIdx, blockDim;
static float rsqrtf(float x) { return 1.f / sqrtf(x); }
static ucontext_t scheduler, lanes[32];
static vector<char> stacks(32 << 18);
static double slots[32];
static bool is_done[32];
static char *memory;
static function<void()> work;
static void pause_lane() { long long lane = threadIdx.x; swapcontext(&lanes[lane & 31], &scheduler); }
static void __syncwarp() { pause_lane(); }
template <typename T> T __shfl_xor_sync(unsigned, T value, int o) {
    int lane = threadIdx.x & 31;
    slots[lane] = (double)value;
    pause_lane();
    T other = (T)slots[lane ^ o];
    pause_lane();
    return other;
}
static void lane_main() { work(); is_done[threadIdx.x & 31] = true; }
static void run(long long blocks, long long threads, long long shared, function<void()> kernel) {
    vector<char> room(shared + 64);
    memory = (char *)(((size_t)room.data() + 63) / 64 * 64);
    work = kernel;
    blockDim.x = threads;
    for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++)
        for (long long warp = 0; warp < threads / 32; warp++) {
            for (int l = 0; l < 32; l++) {
                is_done[l] = false;
                getcontext(&lanes[l]);
                lanes[l].uc_stack.ss_sp = stacks.data() + ((size_t)l << 18);
                lanes[l].uc_stack.ss_size = 1 << 18;
                lanes[l].uc_link = &scheduler;
                makecontext(&lanes[l], lane_main, 0);
            }
            for (bool any = true; any;) {
                any = false;
                for (int l = 0; l < 32; l++)
                    if (!is_done[l]) {
                        threadIdx.x = warp * 32 + l;
                        swapcontext(&scheduler, &lanes[l]);
                        any = true;
                    }
            }
        }
}
"""
KINDS = {
    np.float32: ctypes.c_float,
    np.float64: ctypes.c_double,
    np.int32: ctypes.c_int,
    np.int64: ctypes.c_longlong,
    np.uintp: ctypes.c_void_p,
}
KERNEL = re.compile(r'extern "C" __global__ void (\w+)\(([^)]*)\)')
SHARED = re.compile(r"extern __shared__ (\w+) (\w+)\[\];")


class Module:
    """What cupy.RawModule is to a GPU."""

    def __init__(self, *, code, options):
        self.folder = tempfile.TemporaryDirectory()
        source, library = Path(self.folder.name) / "kernels.cpp", Path(self.folder.name) / "kernels.so"
        launchers = [
            f'extern "C" void launch_{name}(long long blocks, long long threads, long long shared, {parameters}) '
            f"{{ run(blocks, threads, shared, [&] {{ {name}({', '.join(names_of(parameters))}); }}); }}"
            for name, parameters in KERNEL.findall(code)
        ]
        code = SHARED.sub(r"\1 *\2 = (\1 *)memory;", code)
        source.write_text("\n".join([LANES, code, *launchers]))
        options = [option for option in options if option.startswith("-D")]
        command = [COMPILER, "-std=c++17", "-O1", "-ffp-contract=off", "-shared", "-fPIC", "-w", *options]
        subprocess.run([*command, "-o", str(library), str(source)], check=True)
        self.library = ctypes.CDLL(str(library))

    def get_function(self, name):
        launch = getattr(self.library, f"launch_{name}")
        launch.restype = None

        def call(blocks, threads, arguments, shared_mem=0):
            sizes = (ctypes.c_longlong(n) for n in (blocks[0], threads[0], shared_mem))
            launch(*sizes, *(as_c(argument) for argument in arguments))

        return call


def names_of(parameters):
    return [parameter.split()[-1].lstrip("*") for parameter in parameters.split(",")]


def as_c(value):
    if isinstance(value, np.ndarray):
        assert value.flags.c_contiguous
        return ctypes.c_void_p(value.ctypes.data)
    return KINDS[type(value)](value.item())


class NumpyWithKernels:
    """numpy, and RawModule as CuPy has it."""

    RawModule = Module

    def __getattr__(self, name):
        return getattr(np, name)


@cache
def simulated():
    xp = NumpyWithKernels()
    return Device("cuda: none, simulated", xp, CudaKernels(xp))
