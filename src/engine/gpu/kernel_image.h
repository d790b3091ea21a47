/* kernel_image.h -- the compiled kernels, as the driver wants them */

#ifndef GPUHIST_KERNEL_IMAGE_H
#define GPUHIST_KERNEL_IMAGE_H

/* A fat binary of kernels/kernels.cu; begins with a 0 in a build without it. */
extern const unsigned char kernel_image[];

#endif
