// The same loop four times over: its history tells the exit from the third time on.
//
// cycle  issued
//    193  mov ar.lc
//    194  adds
//  195-200  three iterations, the last predicted wrong: six cycles
//    211  br.cloop.sptk after 4 cycles for the second line of code
//    212  adds
//  213-218  three iterations; the history before the exit is another one: wrong again
//    225  br.cloop
//    226  adds
//  227-232  three iterations, the exit now foreseen
//    233  br.cloop
//  234-241  the fourth time
//    242  br.ret
//
// cycles: 243
// lost: instruction_miss 197, branch_flush 12

        .explicit
        .text
        .align 32
main:
{ .mii
        nop.m 0
        mov ar.lc = 3
        nop.i 0 ;;
}
outer:
{ .mii
        adds r14 = 3, r0
        nop.i 0
        nop.i 0 ;;
}
inner:
{ .mmi
        adds r14 = -1, r14 ;;
        cmp.ne p6, p7 = r0, r14
        nop.i 0
}
{ .mib
        nop.m 0
        nop.i 0
        (p6) br.cond.dptk.few inner ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.cloop.sptk.few outer ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
