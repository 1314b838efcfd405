// Code: the first line comes from memory with the 128 bytes of an L2 line, the second half of
// which is an L2 hit: five cycles, one of which every fetch takes.
//
// cycle  issued
//    193  nop.m nop.f nop.i              four bundles, a stop after each
//    196  …
//    201  br.ret.sptk 4 cycles later than its turn
//
// cycles: 202
// lost: instruction_miss 197

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
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
