/* kernel_image_absent.c -- a build without nvcc has no kernels */

#include "engine/gpu/kernel_image.h"

const unsigned char kernel_image[1] = {0};
