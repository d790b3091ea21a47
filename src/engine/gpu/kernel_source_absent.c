/* kernel_source_absent.c -- a build with --disable-opencl */

#include "engine/gpu/kernel_source.h"

const char kernel_source[] = "";
