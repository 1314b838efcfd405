; ModuleID = 'bits.c'
source_filename = "bits.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define dso_local i64 @bits8(i8 noundef zeroext %a, i8 noundef zeroext %b, i8 noundef zeroext %n) local_unnamed_addr #0 {
entry:
  %conv = zext i8 %a to i32
  %conv9 = zext i8 %b to i32
  %tobool.not = icmp eq i8 %b, 0
  br i1 %tobool.not, label %cond.end60, label %cond.true52

cond.true52:                                      ; preds = %entry
  %div = udiv i32 %conv, %conv9
  %rem57 = urem i32 %conv, %conv9
  %add58 = add nuw nsw i32 %rem57, %div
  %0 = zext i32 %add58 to i64
  br label %cond.end60

cond.end60:                                       ; preds = %entry, %cond.true52
  %cond61 = phi i64 [ %0, %cond.true52 ], [ 1, %entry ]
  %or = tail call i8 @llvm.fshl.i8(i8 %a, i8 %a, i8 %n)
  %conv7 = zext i8 %or to i64
  %mul = mul nuw nsw i64 %conv7, 31
  %add = add i8 %b, %a
  %conv11 = zext i8 %add to i64
  %sub15 = sub i8 %a, %b
  %conv17 = zext i8 %sub15 to i64
  %mul21 = mul i8 %b, %a
  %conv23 = zext i8 %mul21 to i64
  %1 = xor i8 %a, %b
  %xor = xor i8 %1, -1
  %conv28 = zext i8 %xor to i64
  %add12 = add nuw nsw i64 %conv17, %conv11
  %add18 = add nuw nsw i64 %add12, %conv23
  %add24 = add nuw nsw i64 %add18, %conv28
  %add29 = add nuw nsw i64 %add24, %mul
  %mul30 = mul nuw nsw i64 %add29, 31
  %cond = tail call i32 @llvm.umax.i32(i32 %conv, i32 %conv9)
  %cond47 = tail call i32 @llvm.umin.i32(i32 %conv, i32 %conv9)
  %narrow = add nuw nsw i32 %cond47, %cond
  %add37 = zext i32 %narrow to i64
  %add49 = add nuw nsw i64 %mul30, %add37
  %mul50 = mul i64 %add49, 31
  %add63 = add i64 %cond61, %mul50
  ret i64 %add63
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define dso_local i64 @bits16(i16 noundef zeroext %a, i16 noundef zeroext %b, i8 noundef zeroext %n) local_unnamed_addr #0 {
entry:
  %conv = zext i16 %a to i32
  %conv9 = zext i16 %b to i32
  %tobool.not = icmp eq i16 %b, 0
  br i1 %tobool.not, label %cond.end60, label %cond.true52

cond.true52:                                      ; preds = %entry
  %div = udiv i32 %conv, %conv9
  %rem57 = urem i32 %conv, %conv9
  %add58 = add nuw nsw i32 %rem57, %div
  %0 = zext i32 %add58 to i64
  br label %cond.end60

cond.end60:                                       ; preds = %entry, %cond.true52
  %cond61 = phi i64 [ %0, %cond.true52 ], [ 1, %entry ]
  %1 = and i8 %n, 15
  %rem = zext i8 %1 to i32
  %shl = shl i32 %conv, %rem
  %shl.masked = and i32 %shl, 65535
  %sub = sub nsw i32 0, %rem
  %rem5 = and i32 %sub, 15
  %shr = lshr i32 %conv, %rem5
  %2 = or i32 %shl.masked, %shr
  %narrow = mul nuw nsw i32 %2, 31
  %mul = zext i32 %narrow to i64
  %add = add i16 %b, %a
  %conv11 = zext i16 %add to i64
  %sub15 = sub i16 %a, %b
  %conv17 = zext i16 %sub15 to i64
  %mul21 = mul i16 %b, %a
  %conv23 = zext i16 %mul21 to i64
  %3 = xor i16 %a, %b
  %xor = xor i16 %3, -1
  %conv28 = zext i16 %xor to i64
  %add12 = add nuw nsw i64 %conv17, %conv11
  %add18 = add nuw nsw i64 %add12, %conv23
  %add24 = add nuw nsw i64 %add18, %conv28
  %add29 = add nuw nsw i64 %add24, %mul
  %mul30 = mul nuw nsw i64 %add29, 31
  %cond = tail call i32 @llvm.umax.i32(i32 %conv, i32 %conv9)
  %cond47 = tail call i32 @llvm.umin.i32(i32 %conv, i32 %conv9)
  %narrow89 = add nuw nsw i32 %cond47, %cond
  %add37 = zext i32 %narrow89 to i64
  %add49 = add nuw nsw i64 %mul30, %add37
  %mul50 = mul i64 %add49, 31
  %add63 = add i64 %cond61, %mul50
  ret i64 %add63
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define dso_local i64 @bits32(i32 noundef %a, i32 noundef %b, i8 noundef zeroext %n) local_unnamed_addr #0 {
entry:
  %tobool.not = icmp eq i32 %b, 0
  br i1 %tobool.not, label %cond.end32, label %cond.true28

cond.true28:                                      ; preds = %entry
  %div = udiv i32 %a, %b
  %rem29 = urem i32 %a, %b
  %add30 = add i32 %rem29, %div
  %0 = zext i32 %add30 to i64
  br label %cond.end32

cond.end32:                                       ; preds = %entry, %cond.true28
  %cond33 = phi i64 [ %0, %cond.true28 ], [ 1, %entry ]
  %rem = zext i8 %n to i32
  %or = tail call i32 @llvm.fshl.i32(i32 %a, i32 %a, i32 %rem)
  %conv4 = zext i32 %or to i64
  %mul = mul nuw nsw i64 %conv4, 31
  %add = add i32 %b, %a
  %conv5 = zext i32 %add to i64
  %sub7 = sub i32 %a, %b
  %conv8 = zext i32 %sub7 to i64
  %mul10 = mul i32 %b, %a
  %conv11 = zext i32 %mul10 to i64
  %1 = xor i32 %a, %b
  %xor = xor i32 %1, -1
  %conv13 = zext i32 %xor to i64
  %add6 = add nuw nsw i64 %conv8, %conv5
  %add9 = add nuw nsw i64 %add6, %conv11
  %add12 = add nuw nsw i64 %add9, %conv13
  %add14 = add nuw nsw i64 %add12, %mul
  %mul15 = mul nuw nsw i64 %add14, 31
  %cond = tail call i32 @llvm.umax.i32(i32 %a, i32 %b)
  %conv17 = zext i32 %cond to i64
  %cond24 = tail call i32 @llvm.umin.i32(i32 %a, i32 %b)
  %conv25 = zext i32 %cond24 to i64
  %add18 = add nuw nsw i64 %conv25, %conv17
  %add26 = add nuw nsw i64 %add18, %mul15
  %mul27 = mul i64 %add26, 31
  %add35 = add i64 %cond33, %mul27
  ret i64 %add35
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define dso_local i64 @bits64(i64 noundef %a, i64 noundef %b, i8 noundef zeroext %n) local_unnamed_addr #0 {
entry:
  %tobool.not = icmp eq i64 %b, 0
  br i1 %tobool.not, label %cond.end26, label %cond.true22

cond.true22:                                      ; preds = %entry
  %div = udiv i64 %a, %b
  %rem23 = urem i64 %a, %b
  %add24 = add i64 %rem23, %div
  br label %cond.end26

cond.end26:                                       ; preds = %entry, %cond.true22
  %cond27 = phi i64 [ %add24, %cond.true22 ], [ 1, %entry ]
  %sh_prom = zext i8 %n to i64
  %or = tail call i64 @llvm.fshl.i64(i64 %a, i64 %a, i64 %sh_prom)
  %mul = mul i64 %or, 31
  %0 = xor i64 %a, %b
  %xor = xor i64 %0, -1
  %reass.add = add i64 %b, 2
  %reass.mul = mul i64 %reass.add, %a
  %add9 = add i64 %mul, %xor
  %add10 = add i64 %add9, %reass.mul
  %mul11 = mul i64 %add10, 31
  %cond = tail call i64 @llvm.umax.i64(i64 %a, i64 %b)
  %cond19 = tail call i64 @llvm.umin.i64(i64 %a, i64 %b)
  %add13 = add i64 %cond19, %cond
  %add20 = add i64 %add13, %mul11
  %mul21 = mul i64 %add20, 31
  %add28 = add i64 %cond27, %mul21
  ret i64 %add28
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define dso_local i32 @counts(i32 noundef %a, i64 noundef %b) local_unnamed_addr #0 {
entry:
  %0 = tail call i32 @llvm.ctpop.i32(i32 %a), !range !5
  %1 = tail call i64 @llvm.ctpop.i64(i64 %b), !range !6
  %cast = trunc i64 %1 to i32
  %mul = mul nuw nsw i32 %cast, 100
  %add = add nuw nsw i32 %mul, %0
  %tobool.not = icmp eq i32 %a, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %2 = tail call i32 @llvm.ctlz.i32(i32 %a, i1 true), !range !5
  %mul1 = mul nuw nsw i32 %2, 3
  %3 = tail call i32 @llvm.cttz.i32(i32 %a, i1 true), !range !5
  %mul2 = mul nuw nsw i32 %3, 5
  %add3 = add nuw nsw i32 %mul1, %mul2
  %add4 = add nuw nsw i32 %add3, %add
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  %sum.0 = phi i32 [ %add4, %if.then ], [ %add, %entry ]
  %tobool5.not = icmp eq i64 %b, 0
  br i1 %tobool5.not, label %if.end13, label %if.then6

if.then6:                                         ; preds = %if.end
  %4 = tail call i64 @llvm.ctlz.i64(i64 %b, i1 true), !range !6
  %cast7 = trunc i64 %4 to i32
  %mul8 = mul nuw nsw i32 %cast7, 7
  %5 = tail call i64 @llvm.cttz.i64(i64 %b, i1 true), !range !6
  %cast9 = trunc i64 %5 to i32
  %mul10 = mul nuw nsw i32 %cast9, 11
  %add11 = add nuw nsw i32 %mul8, %mul10
  %add12 = add nsw i32 %add11, %sum.0
  br label %if.end13

if.end13:                                         ; preds = %if.then6, %if.end
  %sum.1 = phi i32 [ %add12, %if.then6 ], [ %sum.0, %if.end ]
  %6 = and i32 %0, 1
  %7 = tail call i64 @llvm.cttz.i64(i64 %b, i1 true), !range !6
  %8 = trunc i64 %7 to i32
  %9 = add nuw nsw i32 %8, 1
  %cast15 = select i1 %tobool5.not, i32 0, i32 %9
  %add14 = add nuw nsw i32 %cast15, %6
  %add16 = add i32 %add14, %sum.1
  ret i32 %add16
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.ctpop.i32(i32) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.ctpop.i64(i64) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.ctlz.i32(i32, i1 immarg) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.cttz.i32(i32, i1 immarg) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.ctlz.i64(i64, i1 immarg) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.cttz.i64(i64, i1 immarg) #1

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define dso_local i64 @swapped(i16 noundef zeroext %a, i32 noundef %b, i64 noundef %c) local_unnamed_addr #0 {
entry:
  %0 = tail call i16 @llvm.bswap.i16(i16 %a)
  %conv = zext i16 %0 to i32
  %1 = tail call i32 @llvm.bswap.i32(i32 %b)
  %add = add i32 %1, %conv
  %conv1 = zext i32 %add to i64
  %2 = tail call i64 @llvm.bswap.i64(i64 %c)
  %3 = tail call i32 @llvm.bitreverse.i32(i32 %b)
  %conv3 = zext i32 %3 to i64
  %conv5 = trunc i16 %a to i8
  %4 = tail call i8 @llvm.bitreverse.i8(i8 %conv5)
  %conv6 = zext i8 %4 to i64
  %conv8 = zext i16 %a to i64
  %5 = tail call i64 @llvm.fshl.i64(i64 %c, i64 %c, i64 %conv8)
  %conv10 = zext i16 %a to i32
  %6 = tail call i32 @llvm.fshr.i32(i32 %b, i32 %b, i32 %conv10)
  %conv11 = zext i32 %6 to i64
  %conv13 = trunc i32 %b to i16
  %7 = tail call i16 @llvm.fshl.i16(i16 %a, i16 %a, i16 %conv13)
  %conv14 = zext i16 %7 to i64
  %add2 = add i64 %2, %conv3
  %add4 = add i64 %add2, %conv6
  %add7 = add i64 %add4, %5
  %add9 = add i64 %add7, %conv11
  %add12 = add i64 %add9, %conv1
  %add15 = add i64 %add12, %conv14
  ret i64 %add15
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i16 @llvm.bswap.i16(i16) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.bswap.i32(i32) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.bswap.i64(i64) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.bitreverse.i32(i32) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i8 @llvm.bitreverse.i8(i8) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.fshl.i64(i64, i64, i64) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.fshr.i32(i32, i32, i32) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i16 @llvm.fshl.i16(i16, i16, i16) #1

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define dso_local i32 @overflows(i32 noundef %a, i32 noundef %b, i64 noundef %c, i64 noundef %d, i64 noundef %e, i64 noundef %f) local_unnamed_addr #0 {
entry:
  %0 = tail call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 %b)
  %1 = extractvalue { i32, i1 } %0, 1
  %conv = zext i1 %1 to i32
  %2 = tail call { i32, i1 } @llvm.ssub.with.overflow.i32(i32 %a, i32 %b)
  %3 = extractvalue { i32, i1 } %2, 1
  %shl = select i1 %3, i32 2, i32 0
  %or = or i32 %shl, %conv
  %4 = tail call { i32, i1 } @llvm.smul.with.overflow.i32(i32 %a, i32 %b)
  %5 = extractvalue { i32, i1 } %4, 1
  %shl3 = select i1 %5, i32 4, i32 0
  %or4 = or i32 %or, %shl3
  %6 = tail call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %c, i64 %d)
  %7 = extractvalue { i64, i1 } %6, 1
  %shl6 = select i1 %7, i32 8, i32 0
  %or7 = or i32 %or4, %shl6
  %8 = tail call { i64, i1 } @llvm.ssub.with.overflow.i64(i64 %c, i64 %d)
  %9 = extractvalue { i64, i1 } %8, 1
  %shl9 = select i1 %9, i32 16, i32 0
  %or10 = or i32 %or7, %shl9
  %10 = tail call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %c, i64 %d)
  %11 = extractvalue { i64, i1 } %10, 1
  %shl12 = select i1 %11, i32 32, i32 0
  %or13 = or i32 %or10, %shl12
  %12 = tail call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %e, i64 %f)
  %13 = extractvalue { i64, i1 } %12, 1
  %shl15 = select i1 %13, i32 64, i32 0
  %14 = icmp ult i64 %e, %f
  %shl18 = select i1 %14, i32 128, i32 0
  %15 = tail call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %e, i64 %f)
  %16 = extractvalue { i64, i1 } %15, 1
  %shl21 = select i1 %16, i32 256, i32 0
  %conv23 = trunc i64 %e to i8
  %conv24 = trunc i64 %f to i8
  %17 = tail call { i8, i1 } @llvm.uadd.with.overflow.i8(i8 %conv23, i8 %conv24)
  %18 = extractvalue { i8, i1 } %17, 1
  %shl26 = select i1 %18, i32 512, i32 0
  %or16 = or i32 %or13, %shl18
  %or19 = or i32 %or16, %shl15
  %or22 = or i32 %or19, %shl21
  %or27 = or i32 %or22, %shl26
  ret i32 %or27
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare { i32, i1 } @llvm.ssub.with.overflow.i32(i32, i32) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare { i32, i1 } @llvm.smul.with.overflow.i32(i32, i32) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare { i64, i1 } @llvm.ssub.with.overflow.i64(i64, i64) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare { i64, i1 } @llvm.uadd.with.overflow.i64(i64, i64) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare { i8, i1 } @llvm.uadd.with.overflow.i8(i8, i8) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i8 @llvm.fshl.i8(i8, i8, i8) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.umax.i32(i32, i32) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.umin.i32(i32, i32) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.fshl.i32(i32, i32, i32) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.umax.i64(i64, i64) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.umin.i64(i64, i64) #2

attributes #0 = { mustprogress nofree nosync nounwind willreturn memory(none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
!5 = !{i32 0, i32 33}
!6 = !{i64 0, i64 65}
