// getf takes five cycles to an integer consumer.
//
// cycle  issued
//    193  getf.sig
//    198  add
//    199  br.ret
//
// cycles: 200
// lost: instruction_miss 193, integer 4

        .explicit
        .text
        .align 32
main:
{ .mmi
        getf.sig r14 = f0
        nop.m 0
        nop.i 0 ;;
}
{ .mmi
        add r15 = r14, r14
        nop.m 0
        nop.i 0 ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
