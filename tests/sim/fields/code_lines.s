// Eight lines of code, three times over, with groups that reach from one line into the next: a
// small instruction cache loses some of them.

        .explicit
        .text
        .align 32
main:
{ .mii
        adds r14 = 3, r0
        mov ar.ec = 1
        nop.i 0 ;;
}
again:
{ .mii
        cmp.ne p6, p7 = 1, r14
        adds r14 = -1, r14
        nop.i 0 ;;
}
{ .mii
        nop.m 0
        nop.i 0
        nop.i 0 ;;
}
{ .mii
        nop.m 1
        nop.i 0
        nop.i 0
}
{ .mii
        nop.m 2
        nop.i 0
        nop.i 0 ;;
}
{ .mii
        nop.m 3
        nop.i 0
        nop.i 0
}
{ .mii
        nop.m 4
        nop.i 0
        nop.i 0 ;;
}
{ .mii
        nop.m 5
        nop.i 0
        nop.i 0
}
{ .mii
        nop.m 6
        nop.i 0
        nop.i 0 ;;
}
{ .mii
        nop.m 7
        nop.i 0
        nop.i 0
}
{ .mii
        nop.m 8
        nop.i 0
        nop.i 0 ;;
}
{ .mii
        nop.m 9
        nop.i 0
        nop.i 0
}
{ .mii
        nop.m 10
        nop.i 0
        nop.i 0 ;;
}
{ .mii
        nop.m 11
        nop.i 0
        nop.i 0
}
{ .mii
        nop.m 12
        nop.i 0
        nop.i 0 ;;
}
{ .mii
        nop.m 13
        nop.i 0
        nop.i 0
}
{ .mib
        nop.m 0
        nop.i 0
        (p7) br.cond.spnt last
}
{ .mii
        nop.m 14
        nop.i 0
        nop.i 0 ;;
}
{ .mii
        nop.m 15
        nop.i 0
        nop.i 0
}
{ .mii
        nop.m 16
        nop.i 0
        nop.i 0 ;;
}
{ .mii
        nop.m 17
        nop.i 0
        nop.i 0
}
{ .mii
        nop.m 18
        nop.i 0
        nop.i 0 ;;
}
{ .mii
        nop.m 19
        nop.i 0
        nop.i 0
}
{ .mii
        nop.m 20
        nop.i 0
        nop.i 0 ;;
}
{ .mii
        nop.m 21
        nop.i 0
        nop.i 0
}
{ .mii
        nop.m 22
        nop.i 0
        nop.i 0 ;;
}
{ .mii
        nop.m 23
        nop.i 0
        nop.i 0
}
{ .mii
        nop.m 24
        nop.i 0
        nop.i 0 ;;
}
{ .mii
        nop.m 25
        nop.i 0
        nop.i 0
}
{ .mii
        nop.m 26
        nop.i 0
        nop.i 0 ;;
}
{ .mii
        nop.m 27
        nop.i 0
        nop.i 0
}
{ .mib
        nop.m 0
        nop.i 0
        (p6) br.cond.dptk again ;;
}
last:
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
