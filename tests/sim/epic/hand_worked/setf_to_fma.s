// setf reaches floating point after five cycles.
//
// cycle  issued
//    193  setf.d
//    198  fma.d
//    199  br.ret
//
// cycles: 200
// lost: instruction_miss 193, float 4

        .explicit
        .text
        .align 32
main:
{ .mmi
        setf.d f8 = r0
        nop.m 0
        nop.i 0 ;;
}
{ .mfi
        nop.m 0
        fma.d f9 = f8, f1, f0
        nop.i 0 ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
