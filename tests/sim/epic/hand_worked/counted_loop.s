// A counted loop of one bundle takes one cycle an iteration; its end is foreseen.
//
// cycle  issued
//    193  mov ar.lc
//    194  nop.m nop.f nop.i
//  195-204  adds br.cloop.sptk ten iterations
//    205  br.ret
//
// cycles: 206
// lost: instruction_miss 193

        .explicit
        .text
        .align 32
main:
{ .mii
        nop.m 0
        mov ar.lc = 9
        nop.i 0 ;;
}
{ .mfi
        nop.m 0
        nop.f 0
        nop.i 0 ;;
}
loop:
{ .mib
        adds r14 = 1, r14
        nop.i 0
        br.cloop.sptk.few loop ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
