// The length of the string at in0, which is aligned; eight bytes at a time.
	.text
	.explicit
	.global strlen
strlen:
	alloc r2 = ar.pfs, 1, 0, 0, 0
	mov r14 = in0 ;;
.next:	ld8 r15 = [r14], 8 ;;
	czx1.r r16 = r15 ;;
	cmp.eq p6 = 8, r16
(p6)	br.cond.dptk.few .next ;;
	sub r8 = r14, in0
	adds r16 = -8, r16 ;;
	add r8 = r8, r16
	br.ret.sptk.many rp ;;
