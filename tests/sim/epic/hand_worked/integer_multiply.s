// An integer multiplication takes 14 cycles: setf 5, xma 4, getf 5.
//
// cycle  issued
//    193  setf.sig
//    198  xma.l
//    202  getf.sig
//    207  add br.ret
//
// cycles: 208
// lost: instruction_miss 193, float 7, integer 4

        .explicit
        .text
        .align 32
main:
{ .mmi
        setf.sig f8 = r0
        nop.m 0
        nop.i 0 ;;
}
{ .mfi
        nop.m 0
        xma.l f9 = f8, f8, f0
        nop.i 0 ;;
}
{ .mmi
        getf.sig r14 = f9
        nop.m 0
        nop.i 0 ;;
}
{ .mib
        add r15 = r14, r14
        nop.i 0
        br.ret.sptk.many b0 ;;
}
