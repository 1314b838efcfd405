// Writes its stack from the end on, as far as it reaches: with less of it this is a fault.

        .text
        .global main
main:
        mov ar.lc = 70
        adds r14 = -8, r12 ;;
again:
        st8 [r14] = r12, -8
        br.cloop.sptk again ;;
        movl r15 = -65000 ;;
        add r15 = r15, r12 ;;
        adds r16 = 8, r15 ;;
        ld8 r17 = [r16] ;;
        br.ret.sptk b0 ;;
