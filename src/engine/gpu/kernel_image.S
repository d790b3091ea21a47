/* kernel_image.S -- the compiled kernels, as the driver wants them */

        .section .rodata
        .balign 16
        .globl  kernel_image
        .type   kernel_image, @object
kernel_image:
        .incbin "kernels/kernels.fatbin"
        .size   kernel_image, . - kernel_image
        .section .note.GNU-stack, "", %progbits
