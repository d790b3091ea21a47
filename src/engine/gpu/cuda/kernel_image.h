/* kernel_image.h -- the compiled kernels for the CUDA driver */

#ifndef GPUHIST_KERNEL_IMAGE_H
#define GPUHIST_KERNEL_IMAGE_H

/* A fat binary of kernels/kernels.cu; without it, the first byte is 0. */
extern const unsigned char kernel_image[];

#endif
