// Merced: an MMF bundle issues alone. Two bundles are a line of code; the second line comes from
// L2 in six cycles, one of which every fetch takes.
// machine: itanium
//
// cycle  issued
//    161  nop.m nop.f nop.i              34 cycles + 160 ns at 800 MHz, less one
//    162  nop.m nop.m nop.f
//    168  nop.m nop.f br.ret
//
// cycles: 169
// lost: instruction_miss 166

        .explicit
        .text
        .align 32
main:
{ .mfi
        nop.m 0
        nop.f 0
        nop.i 0
}
{ .mmf
        nop.m 0
        nop.m 0
        nop.f 0
}
{ .mfb
        nop.m 0
        nop.f 0
        br.ret.sptk.many b0 ;;
}
