// An integer load of a line that only L3 has takes twelve cycles.
//
// cycle  issued
//    193  addl movl
//    194  adds mov adds                  128: out of the set that the code stands in
//    195  st8 add br.cloop.sptk nine times, 32 KiB apart: nine lines of one set of L2,
//                                        which has eight ways; they come 20 cycles apart from 389
//    204  ld8                            a tenth line: at 389 + 9 * 20 = 569
//    569  add
//    574  ld8                            after 4 cycles for the second line of code, from L2;
//                                        the first of the nine lines has left L2: 12 cycles from L3
//    586  add
//    587  br.ret
//
// cycles: 588
// lost: instruction_miss 197, load 375

        .explicit
        .text
        .align 32
main:
{ .mlx
        addl r16 = 32768, r0
        movl r14 = buffer ;;
}
{ .mii
        adds r18 = 128, r14
        mov ar.lc = 8
        adds r19 = 128, r14 ;;
}
loop:
{ .mib
        st8 [r19] = r0
        add r19 = r19, r16
        br.cloop.sptk.few loop ;;
}
{ .mmi
        ld8 r15 = [r19] ;;
        add r17 = r15, r15
        nop.i 0 ;;
}
{ .mmi
        ld8 r20 = [r18] ;;
        add r21 = r20, r20
        nop.i 0 ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}

        .data
        .align 16
buffer:
        .skip 524288
