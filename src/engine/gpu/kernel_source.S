/* kernel_source.S -- the OpenCL kernels, as the platform's compiler wants them */

        .section .rodata
        .globl  kernel_source
        .type   kernel_source, @object
kernel_source:
        .incbin "kernels/kernels.cl"
        .byte   0
        .size   kernel_source, . - kernel_source
        .section .note.GNU-stack, "", %progbits
