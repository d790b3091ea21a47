/* SPDX-License-Identifier: MIT */
/*
 * kernel_image.S -- the compiled kernels for the CUDA driver; a build
 * without nvcc has none
 */

        .section .rodata
        .balign 16
        .globl  kernel_image
        .type   kernel_image, %object
kernel_image:
#ifdef HAVE_NVCC
        .incbin "kernels/kernels.fatbin"
#else
        .byte   0
#endif
        .size   kernel_image, . - kernel_image

#include "base/object_notes.inc"
