// A register keeps its latency when it turns: f32 of one turn is f33 of the next, which waits four
// cycles for it.
//
// cycle  issued
//    193  mov-to-ar.lc
//    194  mov-to-ar.ec
//    195  fma br.ctop
//    199  fma br.ctop.sptk f33 is there four cycles after 195
//    203  fma br.ctop.sptk not taken
//    204  br.ret
//
// cycles: 205
// lost: float 6, instruction_miss 193

        .explicit
        .text
        .align 32
main:
{ .mii
        nop.m 0
        mov ar.lc = 2
        nop.i 0 ;;
}
{ .mii
        nop.m 0
        mov ar.ec = 1
        nop.i 0 ;;
}
kernel:
{ .mfb
        nop.m 0
        fma.d.s0 f32 = f33, f1, f1
        br.ctop.sptk.few kernel ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
