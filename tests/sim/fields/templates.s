// A bundle of each template, and what dispersal asks: branches by their place, floating slots and
// long immediates by bundle, classes in what slots.

        .explicit
        .text
        .align 32
main:
{ .mii
        nop.m 0
        nop.i 0
        nop.i 0
}
{ .mii
        nop.m 0
        nop.i 0
        nop.i 0 ;;
}
{ .mii
        nop.m 0
        nop.i 0 ;;
        nop.i 0
}
{ .mii
        nop.m 0
        nop.i 0 ;;
        nop.i 0 ;;
}
{ .mlx
        nop.m 0
        movl r20 = 0x1234567812345678
}
{ .mlx
        nop.m 0
        movl r21 = 0x1234567812345678 ;;
}
{ .mmi
        nop.m 0
        nop.m 0
        nop.i 0
}
{ .mmi
        nop.m 0
        nop.m 0
        nop.i 0 ;;
}
{ .mmi
        nop.m 0 ;;
        nop.m 0
        nop.i 0
}
{ .mmi
        nop.m 0 ;;
        nop.m 0
        nop.i 0 ;;
}
{ .mfi
        nop.m 0
        nop.f 0
        nop.i 0
}
{ .mfi
        nop.m 0
        nop.f 0
        nop.i 0 ;;
}
{ .mmf
        nop.m 0
        nop.m 0
        nop.f 0
}
{ .mmf
        nop.m 0
        nop.m 0
        nop.f 0 ;;
}
{ .mib
        nop.m 0
        nop.i 0
        nop.b 0
}
{ .mib
        nop.m 0
        nop.i 0
        nop.b 0 ;;
}
{ .mbb
        nop.m 0
        nop.b 0
        nop.b 0
}
{ .mbb
        nop.m 0
        nop.b 0
        nop.b 0 ;;
}
{ .bbb
        nop.b 0
        nop.b 0
        nop.b 0
}
{ .bbb
        nop.b 0
        nop.b 0
        nop.b 0 ;;
}
{ .mmb
        nop.m 0
        nop.m 0
        nop.b 0
}
{ .mmb
        nop.m 0
        nop.m 0
        nop.b 0 ;;
}
{ .mfb
        nop.m 0
        nop.f 0
        nop.b 0
}
{ .mfb
        nop.m 0
        nop.f 0
        nop.b 0 ;;
}
{ .mfi
        nop.m 0
        fma.d f9 = f1, f1, f1
        nop.i 0
}
{ .mfi
        nop.m 0
        fma.d f10 = f1, f1, f1
        nop.i 0 ;;
}
{ .mlx
        nop.m 0
        movl r18 = 1
}
{ .mlx
        nop.m 0
        movl r19 = 1 ;;
}
{ .mbb
        nop.m 0
        (p7) br.cond.spnt main
        (p8) br.cond.spnt main ;;
}
{ .bbb
        (p7) br.cond.spnt main
        (p8) br.cond.spnt main
        (p9) br.cond.spnt main ;;
}
{ .mib
        nop.m 0
        nop.i 0
        (p7) br.cond.spnt main
}
{ .mib
        nop.m 0
        nop.i 0
        nop.b 0 ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
