// br.wtop.sptk is predicted like any other branch under a predicate: its hint is right twice, then the
// loop ends against it.  Nothing is left to drain (ar.ec 1).
//
// cycle  issued
//    193  adds mov-to-ar.ec
//    194  adds
//    195  cmp br.wtop
//    196  adds
//    197  cmp br.wtop
//    198  adds
//    199  cmp br.wtop.sptk not taken, foreseen as taken
//    206  br.ret.sptk six cycles to refill
//
// cycles: 207
// lost: branch_flush 6, instruction_miss 193

        .explicit
        .text
        .align 32
main:
{ .mii
        adds r14 = 3, r0
        mov ar.ec = 1
        nop.i 0 ;;
}
loop:
{ .mib
        adds r14 = -1, r14
        nop.i 0
        nop.b 0 ;;
}
{ .mib
        cmp.ne p6, p7 = 0, r14
        nop.i 0
        (p6) br.wtop.dptk.few loop ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
