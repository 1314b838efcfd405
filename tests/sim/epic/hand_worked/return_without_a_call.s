// A return that no call announced goes where the predictor does not expect it: six cycles.
//
// cycle  issued
//    193  movl
//    194  mov b6 = r14, br.ret.sptk b6
//    201  br.ret.sptk b0
//
// cycles: 202
// lost: instruction_miss 193, branch_flush 6

        .explicit
        .text
        .align 32
main:
{ .mlx
        nop.m 0
        movl r14 = target ;;
}
{ .mib
        nop.m 0
        mov b6 = r14
        br.ret.sptk.many b6 ;;
}
target:
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
