// Three iterations of two stages, one cycle each: br.ctop.sptk turns the registers and takes no cycle of
// its own.  r32 of one turn is r33 of the next, so each adds waits for nothing.
//
// cycle  issued
//    193  alloc mov-to-ar.lc
//    194  cmp mov-to-ar.ec
//    195  adds br.ctop.sptk ar.lc 2 -> 1
//    196  adds br.ctop.sptk ar.lc 1 -> 0
//    197  adds br.ctop.sptk ar.ec 2 -> 1; p16 is false from here on
//    198  (adds) br.ctop.sptk ar.ec 1 -> 0, not taken
//    199  br.ret
//
// cycles: 200
// lost: instruction_miss 193

        .explicit
        .text
        .align 32
main:
{ .mii
        alloc r2 = ar.pfs, 0, 8, 0, 8
        mov ar.lc = 2
        nop.i 0 ;;
}
{ .mii
        cmp.eq p16, p0 = r0, r0
        mov ar.ec = 2
        nop.i 0 ;;
}
kernel:
{ .mib
        (p16) adds r32 = 1, r33
        nop.i 0
        br.ctop.sptk.few kernel ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
