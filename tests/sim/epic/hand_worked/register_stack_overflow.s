// main keeps 90 of the 96 stacked registers; the function's frame of 20 begins behind them, so 14 of
// main's are saved, two a cycle.  The return restores them.
//
// cycle  issued
//    193  alloc mov-from-b
//    194  br.call
//    199  alloc               the second line of code comes from the L2: 5 - 1 cycles
//    207  br.ret.sptk 7 cycles after the next one: 14 registers saved
//    215  mov-to-b            7 cycles after the next one: 14 registers restored
//    216  br.ret
//
// cycles: 217
// lost: register_stack 14, instruction_miss 197

        .explicit
        .text
        .align 32
        .global main
main:
{ .mii
        alloc r34 = ar.pfs, 0, 90, 4, 0
        mov r35 = b0
        nop.i 0 ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.call.sptk.many b0 = function ;;
}
{ .mii
        nop.m 0
        mov b0 = r35
        nop.i 0 ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
function:
{ .mii
        alloc r40 = ar.pfs, 4, 10, 6, 0
        nop.i 0
        nop.i 0 ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
