// A function that is compiled for several vector widths; the version for this machine is chosen
// when the program starts. The functions that it calls must be inlined to gain from this.
#pragma once

// If the linker can choose between versions of a function. Not in builds with sanitizers: the
// choice is made before they are initialised.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define FOR_WIDE_VECTORS \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FOR_WIDE_VECTORS
#endif
