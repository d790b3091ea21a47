/* SPDX-License-Identifier: MIT */
/*
 * kernel_source.S -- the source of the OpenCL kernels; "" in a build with
 * --disable-opencl
 */

        .section .rodata
        .globl  kernel_source
        .type   kernel_source, %object
kernel_source:
#ifdef OPENCL
        .incbin "kernels/kernels.cl"
#endif
        .byte   0
        .size   kernel_source, . - kernel_source

#include "base/object_notes.inc"
