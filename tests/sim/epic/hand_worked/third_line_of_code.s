// The third line of code comes from memory again.
//
// cycle  issued
//  193-196  four bundles
//  201-204  four bundles                   the second line: 4 cycles from L2
//    398  br.ret.sptk the third: 193 cycles from memory
//
// cycles: 399
// lost: instruction_miss 390

        .explicit
        .text
        .align 32
main:
{ .mfi
        nop.m 0
        nop.f 0
        nop.i 0 ;;
}
{ .mfi
        nop.m 0
        nop.f 0
        nop.i 0 ;;
}
{ .mfi
        nop.m 0
        nop.f 0
        nop.i 0 ;;
}
{ .mfi
        nop.m 0
        nop.f 0
        nop.i 0 ;;
}
{ .mfi
        nop.m 0
        nop.f 0
        nop.i 0 ;;
}
{ .mfi
        nop.m 0
        nop.f 0
        nop.i 0 ;;
}
{ .mfi
        nop.m 0
        nop.f 0
        nop.i 0 ;;
}
{ .mfi
        nop.m 0
        nop.f 0
        nop.i 0 ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
