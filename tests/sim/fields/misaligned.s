// A load and a store of eight bytes at an odd address.

        .text
        .global main
main:
        movl r14 = buffer ;;
        adds r14 = 1, r14 ;;
        ld8 r15 = [r14] ;;
        st8 [r14] = r15 ;;
        br.ret.sptk b0 ;;

        .data
        .align 16
buffer:
        .skip 32
