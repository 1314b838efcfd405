; ModuleID = 'sha256.c'
source_filename = "sha256.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@sha256.start = internal unnamed_addr constant [8 x i32] [i32 1779033703, i32 -1150833019, i32 1013904242, i32 -1521486534, i32 1359893119, i32 -1694144372, i32 528734635, i32 1541459225], align 16
@K = internal unnamed_addr constant [64 x i32] [i32 1116352408, i32 1899447441, i32 -1245643825, i32 -373957723, i32 961987163, i32 1508970993, i32 -1841331548, i32 -1424204075, i32 -670586216, i32 310598401, i32 607225278, i32 1426881987, i32 1925078388, i32 -2132889090, i32 -1680079193, i32 -1046744716, i32 -459576895, i32 -272742522, i32 264347078, i32 604807628, i32 770255983, i32 1249150122, i32 1555081692, i32 1996064986, i32 -1740746414, i32 -1473132947, i32 -1341970488, i32 -1084653625, i32 -958395405, i32 -710438585, i32 113926993, i32 338241895, i32 666307205, i32 773529912, i32 1294757372, i32 1396182291, i32 1695183700, i32 1986661051, i32 -2117940946, i32 -1838011259, i32 -1564481375, i32 -1474664885, i32 -1035236496, i32 -949202525, i32 -778901479, i32 -694614492, i32 -200395387, i32 275423344, i32 430227734, i32 506948616, i32 659060556, i32 883997877, i32 958139571, i32 1322822218, i32 1537002063, i32 1747873779, i32 1955562222, i32 2024104815, i32 -2067236844, i32 -1933114872, i32 -1866530822, i32 -1538233109, i32 -1090935817, i32 -965641998], align 16

; Function Attrs: nofree nosync nounwind memory(argmem: readwrite) uwtable
define dso_local void @sha256(ptr nocapture noundef readonly %text, i64 noundef %n, ptr nocapture noundef %h) local_unnamed_addr #0 {
entry:
  %last = alloca [128 x i8], align 16
  call void @llvm.lifetime.start.p0(i64 128, ptr nonnull %last) #6
  %rem = srem i64 %n, 64
  %cmp = icmp slt i64 %rem, 56
  %conv = select i1 %cmp, i64 64, i64 128
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 4 dereferenceable(32) %h, ptr noundef nonnull align 16 dereferenceable(32) @sha256.start, i64 32, i1 false)
  %cmp1.not48 = icmp slt i64 %n, 64
  br i1 %cmp1.not48, label %for.cond.cleanup, label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %entry
  %add.ptr5 = getelementptr inbounds i8, ptr %text, i64 %n
  %idx.neg = sub nsw i64 0, %rem
  %add.ptr6 = getelementptr inbounds i8, ptr %add.ptr5, i64 %idx.neg
  %0 = icmp ugt i64 %rem, 127
  %1 = sub nsw i64 128, %rem
  %2 = select i1 %0, i64 0, i64 %1
  %3 = getelementptr i8, ptr %last, i64 %rem
  call void @llvm.memset.p0.i64(ptr align 1 %3, i8 0, i64 %2, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 16 %last, ptr align 1 %add.ptr6, i64 %rem, i1 false)
  %arrayidx = getelementptr inbounds [128 x i8], ptr %last, i64 0, i64 %rem
  store i8 -128, ptr %arrayidx, align 1, !tbaa !5
  %mul = shl i64 %n, 3
  br label %for.body12

for.body:                                         ; preds = %entry, %for.body
  %add50 = phi i64 [ %add, %for.body ], [ 64, %entry ]
  %i.049 = phi i64 [ %add50, %for.body ], [ 0, %entry ]
  %add.ptr = getelementptr inbounds i8, ptr %text, i64 %i.049
  tail call fastcc void @block(ptr noundef %h, ptr noundef %add.ptr)
  %add = add nuw nsw i64 %add50, 64
  %cmp1.not = icmp sgt i64 %add, %n
  br i1 %cmp1.not, label %for.cond.cleanup, label %for.body, !llvm.loop !8

for.body12:                                       ; preds = %for.cond.cleanup, %for.body12
  %indvars.iv = phi i64 [ 0, %for.cond.cleanup ], [ %indvars.iv.next, %for.body12 ]
  %4 = shl nsw i64 %indvars.iv, 3
  %shr = lshr i64 %mul, %4
  %conv14 = trunc i64 %shr to i8
  %5 = xor i64 %indvars.iv, -1
  %sub16 = add nsw i64 %conv, %5
  %arrayidx17 = getelementptr inbounds [128 x i8], ptr %last, i64 0, i64 %sub16
  store i8 %conv14, ptr %arrayidx17, align 1, !tbaa !5
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, 8
  br i1 %exitcond.not, label %for.body25, label %for.body12, !llvm.loop !11

for.cond.cleanup24:                               ; preds = %for.body25
  call void @llvm.lifetime.end.p0(i64 128, ptr nonnull %last) #6
  ret void

for.body25:                                       ; preds = %for.body12, %for.body25
  %i20.052 = phi i64 [ %add29, %for.body25 ], [ 0, %for.body12 ]
  %add.ptr27 = getelementptr inbounds i8, ptr %last, i64 %i20.052
  call fastcc void @block(ptr noundef %h, ptr noundef nonnull %add.ptr27)
  %add29 = add nuw nsw i64 %i20.052, 64
  %cmp22 = icmp ult i64 %add29, %conv
  br i1 %cmp22, label %for.body25, label %for.cond.cleanup24, !llvm.loop !12
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #2

; Function Attrs: nofree nosync nounwind memory(argmem: readwrite) uwtable
define internal fastcc void @block(ptr nocapture noundef %h, ptr nocapture noundef readonly %p) unnamed_addr #0 {
entry:
  %w = alloca [64 x i32], align 16
  %v = alloca [8 x i32], align 16
  call void @llvm.lifetime.start.p0(i64 256, ptr nonnull %w) #6
  call void @llvm.lifetime.start.p0(i64 32, ptr nonnull %v) #6
  br label %for.body

for.body:                                         ; preds = %entry, %for.body
  %indvars.iv = phi i64 [ 0, %entry ], [ %indvars.iv.next, %for.body ]
  %0 = shl nsw i64 %indvars.iv, 2
  %add.ptr = getelementptr inbounds i8, ptr %p, i64 %0
  %x.0.copyload = load i32, ptr %add.ptr, align 1
  %1 = tail call i32 @llvm.bswap.i32(i32 %x.0.copyload)
  %arrayidx = getelementptr inbounds [64 x i32], ptr %w, i64 0, i64 %indvars.iv
  store i32 %1, ptr %arrayidx, align 4, !tbaa !13
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, 16
  br i1 %exitcond.not, label %for.body5, label %for.body, !llvm.loop !15

for.cond.cleanup4:                                ; preds = %for.body5
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 16 dereferenceable(32) %v, ptr noundef nonnull align 4 dereferenceable(32) %h, i64 32, i1 false)
  %arrayidx36 = getelementptr inbounds [8 x i32], ptr %v, i64 0, i64 4
  %arrayidx44 = getelementptr inbounds [8 x i32], ptr %v, i64 0, i64 7
  %arrayidx47 = getelementptr inbounds [8 x i32], ptr %v, i64 0, i64 5
  %arrayidx49 = getelementptr inbounds [8 x i32], ptr %v, i64 0, i64 6
  %arrayidx68 = getelementptr inbounds [8 x i32], ptr %v, i64 0, i64 1
  %arrayidx71 = getelementptr inbounds [8 x i32], ptr %v, i64 0, i64 2
  %add.ptr80 = getelementptr inbounds i32, ptr %v, i64 1
  %v.promoted = load i32, ptr %v, align 16, !tbaa !13
  br label %for.body35

for.body5:                                        ; preds = %for.body, %for.body5
  %indvars.iv159 = phi i64 [ %indvars.iv.next160, %for.body5 ], [ 16, %for.body ]
  %2 = add nsw i64 %indvars.iv159, -15
  %arrayidx7 = getelementptr inbounds [64 x i32], ptr %w, i64 0, i64 %2
  %3 = load i32, ptr %arrayidx7, align 4, !tbaa !13
  %4 = add nsw i64 %indvars.iv159, -2
  %arrayidx10 = getelementptr inbounds [64 x i32], ptr %w, i64 0, i64 %4
  %5 = load i32, ptr %arrayidx10, align 4, !tbaa !13
  %6 = add nsw i64 %indvars.iv159, -16
  %arrayidx13 = getelementptr inbounds [64 x i32], ptr %w, i64 0, i64 %6
  %7 = load i32, ptr %arrayidx13, align 4, !tbaa !13
  %8 = add nsw i64 %indvars.iv159, -7
  %arrayidx16 = getelementptr inbounds [64 x i32], ptr %w, i64 0, i64 %8
  %9 = load i32, ptr %arrayidx16, align 4, !tbaa !13
  %add = add i32 %9, %7
  %or.i = tail call i32 @llvm.fshl.i32(i32 %3, i32 %3, i32 25)
  %or.i126 = tail call i32 @llvm.fshl.i32(i32 %3, i32 %3, i32 14)
  %xor = xor i32 %or.i, %or.i126
  %shr = lshr i32 %3, 3
  %xor18 = xor i32 %xor, %shr
  %add19 = add i32 %add, %xor18
  %or.i129 = tail call i32 @llvm.fshl.i32(i32 %5, i32 %5, i32 15)
  %or.i132 = tail call i32 @llvm.fshl.i32(i32 %5, i32 %5, i32 13)
  %xor22 = xor i32 %or.i129, %or.i132
  %shr23 = lshr i32 %5, 10
  %xor24 = xor i32 %xor22, %shr23
  %add25 = add i32 %add19, %xor24
  %arrayidx27 = getelementptr inbounds [64 x i32], ptr %w, i64 0, i64 %indvars.iv159
  store i32 %add25, ptr %arrayidx27, align 4, !tbaa !13
  %indvars.iv.next160 = add nuw nsw i64 %indvars.iv159, 1
  %exitcond166.not = icmp eq i64 %indvars.iv.next160, 64
  br i1 %exitcond166.not, label %for.cond.cleanup4, label %for.body5, !llvm.loop !16

for.body35:                                       ; preds = %for.cond.cleanup4, %for.body35
  %indvars.iv167 = phi i64 [ 0, %for.cond.cleanup4 ], [ %indvars.iv.next168, %for.body35 ]
  %add84153154 = phi i32 [ %v.promoted, %for.cond.cleanup4 ], [ %add84, %for.body35 ]
  %10 = load i32, ptr %arrayidx36, align 16, !tbaa !13
  %or.i135 = tail call i32 @llvm.fshl.i32(i32 %10, i32 %10, i32 26)
  %or.i138 = tail call i32 @llvm.fshl.i32(i32 %10, i32 %10, i32 21)
  %xor40 = xor i32 %or.i135, %or.i138
  %or.i141 = tail call i32 @llvm.fshl.i32(i32 %10, i32 %10, i32 7)
  %xor43 = xor i32 %xor40, %or.i141
  %11 = load i32, ptr %arrayidx44, align 4, !tbaa !13
  %12 = load i32, ptr %arrayidx47, align 4, !tbaa !13
  %and = and i32 %12, %10
  %not = xor i32 %10, -1
  %13 = load i32, ptr %arrayidx49, align 8, !tbaa !13
  %and50 = and i32 %13, %not
  %arrayidx54 = getelementptr inbounds [64 x i32], ptr @K, i64 0, i64 %indvars.iv167
  %14 = load i32, ptr %arrayidx54, align 4, !tbaa !13
  %arrayidx57 = getelementptr inbounds [64 x i32], ptr %w, i64 0, i64 %indvars.iv167
  %15 = load i32, ptr %arrayidx57, align 4, !tbaa !13
  %xor51 = add i32 %xor43, %11
  %add45 = add i32 %xor51, %and
  %add52 = add i32 %add45, %and50
  %add55 = add i32 %add52, %14
  %add58 = add i32 %add55, %15
  %or.i144 = tail call i32 @llvm.fshl.i32(i32 %add84153154, i32 %add84153154, i32 30)
  %or.i147 = tail call i32 @llvm.fshl.i32(i32 %add84153154, i32 %add84153154, i32 19)
  %xor63 = xor i32 %or.i144, %or.i147
  %or.i150 = tail call i32 @llvm.fshl.i32(i32 %add84153154, i32 %add84153154, i32 10)
  %xor66 = xor i32 %xor63, %or.i150
  %16 = load i32, ptr %arrayidx68, align 4, !tbaa !13
  %17 = load i32, ptr %arrayidx71, align 8, !tbaa !13
  %and72123 = xor i32 %17, %16
  %xor73 = and i32 %and72123, %add84153154
  %and76 = and i32 %17, %16
  %xor77 = xor i32 %xor73, %and76
  call void @llvm.memmove.p0.p0.i64(ptr noundef nonnull align 4 dereferenceable(28) %add.ptr80, ptr noundef nonnull align 16 dereferenceable(28) %v, i64 28, i1 false)
  %18 = load i32, ptr %arrayidx36, align 16, !tbaa !13
  %add83 = add i32 %18, %add58
  store i32 %add83, ptr %arrayidx36, align 16, !tbaa !13
  %add78 = add i32 %xor66, %add58
  %add84 = add i32 %add78, %xor77
  store i32 %add84, ptr %v, align 16, !tbaa !13
  %indvars.iv.next168 = add nuw nsw i64 %indvars.iv167, 1
  %exitcond170.not = icmp eq i64 %indvars.iv.next168, 64
  br i1 %exitcond170.not, label %for.body93, label %for.body35, !llvm.loop !17

for.cond.cleanup92:                               ; preds = %for.body93
  call void @llvm.lifetime.end.p0(i64 32, ptr nonnull %v) #6
  call void @llvm.lifetime.end.p0(i64 256, ptr nonnull %w) #6
  ret void

for.body93:                                       ; preds = %for.body35, %for.body93
  %indvars.iv171 = phi i64 [ %indvars.iv.next172, %for.body93 ], [ 0, %for.body35 ]
  %arrayidx95 = getelementptr inbounds [8 x i32], ptr %v, i64 0, i64 %indvars.iv171
  %19 = load i32, ptr %arrayidx95, align 4, !tbaa !13
  %arrayidx97 = getelementptr inbounds i32, ptr %h, i64 %indvars.iv171
  %20 = load i32, ptr %arrayidx97, align 4, !tbaa !13
  %add98 = add i32 %20, %19
  store i32 %add98, ptr %arrayidx97, align 4, !tbaa !13
  %indvars.iv.next172 = add nuw nsw i64 %indvars.iv171, 1
  %exitcond174.not = icmp eq i64 %indvars.iv.next172, 8
  br i1 %exitcond174.not, label %for.cond.cleanup92, label %for.body93, !llvm.loop !18
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg) #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.bswap.i32(i32) #4

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memmove.p0.p0.i64(ptr nocapture writeonly, ptr nocapture readonly, i64, i1 immarg) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.fshl.i32(i32, i32, i32) #5

attributes #0 = { nofree nosync nounwind memory(argmem: readwrite) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #4 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"omnipotent char", !7, i64 0}
!7 = !{!"Simple C/C++ TBAA"}
!8 = distinct !{!8, !9, !10}
!9 = !{!"llvm.loop.mustprogress"}
!10 = !{!"llvm.loop.unroll.disable"}
!11 = distinct !{!11, !9, !10}
!12 = distinct !{!12, !9, !10}
!13 = !{!14, !14, i64 0}
!14 = !{!"int", !6, i64 0}
!15 = distinct !{!15, !9, !10}
!16 = distinct !{!16, !9, !10}
!17 = distinct !{!17, !9, !10}
!18 = distinct !{!18, !9, !10}
