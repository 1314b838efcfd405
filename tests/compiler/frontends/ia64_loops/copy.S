// Copies in1 words of in2 to in0: two loads and two stores a cycle, br.cloop.
#define DEST	in0
#define COUNT	in1
#define SOURCE	in2
	.text
	.explicit
	.global copy#
	.proc copy#
copy:
	.prologue
	.save ar.pfs, r2
	alloc r2 = ar.pfs, 3, 5, 0, 0 ;;
	.save ar.lc, r3
	mov r3 = ar.lc
	adds r14 = -1, COUNT
	cmp.ge p6, p0 = 0, COUNT
(p6)	br.ret.spnt.many rp ;;
	.body
	shr.u r15 = r14, 1
	tbit.nz p7 = COUNT, 0 ;;
	mov ar.lc = r15
	add r16 = 8, DEST
	add r17 = 8, SOURCE ;;
	.align 32
1:	{ .mmi; ld8 r18 = [SOURCE], 16
	ld8 r19 = [r17], 16
	cmp.eq p8, p9 = r0, r14 ;; }
	{ .mmb; st8 [DEST] = r18, 16
(p9)	st8 [r16] = r19, 16
	nop.b 0 }
	{ .mib; adds r14 = -2, r14
	nop.i 0
	br.cloop.sptk.few 1b ;; }
	mov ar.lc = r3
	mov r8 = r0
	br.ret.sptk.many rp ;;
	.endp copy#
