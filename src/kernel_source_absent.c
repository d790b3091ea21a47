/* kernel_source_absent.c -- a build with --disable-opencl */

#include "kernel_source.h"

const char kernel_source[] = "";
