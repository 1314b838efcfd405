; ModuleID = 'matrix.c'
source_filename = "matrix.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree nosync nounwind memory(argmem: readwrite) uwtable
define dso_local void @multiply(ptr noalias nocapture noundef readonly %a, ptr noalias nocapture noundef readonly %b, ptr noalias nocapture noundef writeonly %c, i32 noundef %n) local_unnamed_addr #0 {
entry:
  %cmp44 = icmp sgt i32 %n, 0
  br i1 %cmp44, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:                        ; preds = %entry
  %0 = sext i32 %n to i64
  %1 = sext i32 %n to i64
  %2 = sext i32 %n to i64
  %wide.trip.count61 = zext i32 %n to i64
  %wide.trip.count54 = zext i32 %n to i64
  %wide.trip.count = zext i32 %n to i64
  br label %for.cond1.preheader

for.cond1.preheader:                              ; preds = %for.cond1.preheader.lr.ph, %for.cond.cleanup3
  %indvars.iv56 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %indvars.iv.next57, %for.cond.cleanup3 ]
  %3 = mul nsw i64 %indvars.iv56, %1
  %4 = mul nsw i64 %indvars.iv56, %2
  br label %for.cond5.preheader

for.cond.cleanup:                                 ; preds = %for.cond.cleanup3, %entry
  ret void

for.cond5.preheader:                              ; preds = %for.cond1.preheader, %for.cond.cleanup7
  %indvars.iv50 = phi i64 [ 0, %for.cond1.preheader ], [ %indvars.iv.next51, %for.cond.cleanup7 ]
  br label %for.body8

for.cond.cleanup3:                                ; preds = %for.cond.cleanup7
  %indvars.iv.next57 = add nuw nsw i64 %indvars.iv56, 1
  %exitcond62.not = icmp eq i64 %indvars.iv.next57, %wide.trip.count61
  br i1 %exitcond62.not, label %for.cond.cleanup, label %for.cond1.preheader, !llvm.loop !5

for.cond.cleanup7:                                ; preds = %for.body8
  %5 = add nsw i64 %indvars.iv50, %4
  %arrayidx17 = getelementptr inbounds double, ptr %c, i64 %5
  store double %11, ptr %arrayidx17, align 8, !tbaa !8
  %indvars.iv.next51 = add nuw nsw i64 %indvars.iv50, 1
  %exitcond55.not = icmp eq i64 %indvars.iv.next51, %wide.trip.count54
  br i1 %exitcond55.not, label %for.cond.cleanup3, label %for.cond5.preheader, !llvm.loop !12

for.body8:                                        ; preds = %for.cond5.preheader, %for.body8
  %indvars.iv = phi i64 [ 0, %for.cond5.preheader ], [ %indvars.iv.next, %for.body8 ]
  %sum.040 = phi double [ 0.000000e+00, %for.cond5.preheader ], [ %11, %for.body8 ]
  %6 = add nsw i64 %indvars.iv, %3
  %arrayidx = getelementptr inbounds double, ptr %a, i64 %6
  %7 = load double, ptr %arrayidx, align 8, !tbaa !8
  %8 = mul nsw i64 %indvars.iv, %0
  %9 = add nsw i64 %8, %indvars.iv50
  %arrayidx12 = getelementptr inbounds double, ptr %b, i64 %9
  %10 = load double, ptr %arrayidx12, align 8, !tbaa !8
  %11 = tail call double @llvm.fmuladd.f64(double %7, double %10, double %sum.040)
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup7, label %for.body8, !llvm.loop !13
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nofree nosync nounwind memory(argmem: readwrite) uwtable
define dso_local float @trace(ptr nocapture noundef %m) local_unnamed_addr #0 {
entry:
  %product = alloca [4 x [4 x float]], align 16
  call void @llvm.lifetime.start.p0(i64 64, ptr nonnull %product) #4
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 16 dereferenceable(64) %product, i8 0, i64 64, i1 false)
  br label %for.cond1.preheader

for.cond1.preheader:                              ; preds = %entry, %for.cond.cleanup3
  %indvars.iv107 = phi i64 [ 0, %entry ], [ %indvars.iv.next108, %for.cond.cleanup3 ]
  %cmp298.not = icmp eq i64 %indvars.iv107, 0
  br i1 %cmp298.not, label %for.cond.cleanup3, label %for.body4

for.cond.cleanup3:                                ; preds = %for.body4, %for.cond1.preheader
  %indvars.iv.next108 = add nuw nsw i64 %indvars.iv107, 1
  %exitcond110.not = icmp eq i64 %indvars.iv.next108, 4
  br i1 %exitcond110.not, label %for.cond28.preheader, label %for.cond1.preheader, !llvm.loop !14

for.body4:                                        ; preds = %for.cond1.preheader, %for.body4
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.body4 ], [ 0, %for.cond1.preheader ]
  %arrayidx6 = getelementptr inbounds [4 x float], ptr %m, i64 %indvars.iv107, i64 %indvars.iv
  %0 = load float, ptr %arrayidx6, align 4, !tbaa !15
  %arrayidx10 = getelementptr inbounds [4 x float], ptr %m, i64 %indvars.iv, i64 %indvars.iv107
  %1 = load float, ptr %arrayidx10, align 4, !tbaa !15
  store float %1, ptr %arrayidx6, align 4, !tbaa !15
  store float %0, ptr %arrayidx10, align 4, !tbaa !15
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %indvars.iv107
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4, !llvm.loop !17

for.cond28.preheader:                             ; preds = %for.cond.cleanup3, %for.cond.cleanup30
  %indvars.iv119 = phi i64 [ %indvars.iv.next120, %for.cond.cleanup30 ], [ 0, %for.cond.cleanup3 ]
  br label %for.cond32.preheader

for.cond32.preheader:                             ; preds = %for.cond28.preheader, %for.cond.cleanup34
  %indvars.iv115 = phi i64 [ 0, %for.cond28.preheader ], [ %indvars.iv.next116, %for.cond.cleanup34 ]
  %arrayidx47 = getelementptr inbounds [4 x [4 x float]], ptr %product, i64 0, i64 %indvars.iv119, i64 %indvars.iv115
  %arrayidx47.promoted = load float, ptr %arrayidx47, align 4, !tbaa !15
  br label %for.body35

for.cond.cleanup30:                               ; preds = %for.cond.cleanup34
  %indvars.iv.next120 = add nuw nsw i64 %indvars.iv119, 1
  %exitcond122.not = icmp eq i64 %indvars.iv.next120, 4
  br i1 %exitcond122.not, label %for.body61, label %for.cond28.preheader, !llvm.loop !18

for.cond.cleanup34:                               ; preds = %for.body35
  store float %5, ptr %arrayidx47, align 4, !tbaa !15
  %indvars.iv.next116 = add nuw nsw i64 %indvars.iv115, 1
  %exitcond118.not = icmp eq i64 %indvars.iv.next116, 4
  br i1 %exitcond118.not, label %for.cond.cleanup30, label %for.cond32.preheader, !llvm.loop !19

for.body35:                                       ; preds = %for.cond32.preheader, %for.body35
  %indvars.iv111 = phi i64 [ 0, %for.cond32.preheader ], [ %indvars.iv.next112, %for.body35 ]
  %2 = phi float [ %arrayidx47.promoted, %for.cond32.preheader ], [ %5, %for.body35 ]
  %arrayidx39 = getelementptr inbounds [4 x float], ptr %m, i64 %indvars.iv119, i64 %indvars.iv111
  %3 = load float, ptr %arrayidx39, align 4, !tbaa !15
  %arrayidx43 = getelementptr inbounds [4 x float], ptr %m, i64 %indvars.iv111, i64 %indvars.iv115
  %4 = load float, ptr %arrayidx43, align 4, !tbaa !15
  %5 = tail call float @llvm.fmuladd.f32(float %3, float %4, float %2)
  %indvars.iv.next112 = add nuw nsw i64 %indvars.iv111, 1
  %exitcond114.not = icmp eq i64 %indvars.iv.next112, 4
  br i1 %exitcond114.not, label %for.cond.cleanup34, label %for.body35, !llvm.loop !20

for.cond.cleanup60:                               ; preds = %for.body61
  call void @llvm.lifetime.end.p0(i64 64, ptr nonnull %product) #4
  ret float %add

for.body61:                                       ; preds = %for.cond.cleanup30, %for.body61
  %indvars.iv123 = phi i64 [ %indvars.iv.next124, %for.body61 ], [ 0, %for.cond.cleanup30 ]
  %sum.0104 = phi float [ %add, %for.body61 ], [ 0.000000e+00, %for.cond.cleanup30 ]
  %arrayidx65 = getelementptr inbounds [4 x [4 x float]], ptr %product, i64 0, i64 %indvars.iv123, i64 %indvars.iv123
  %6 = load float, ptr %arrayidx65, align 4, !tbaa !15
  %add = fadd float %sum.0104, %6
  %indvars.iv.next124 = add nuw nsw i64 %indvars.iv123, 1
  %exitcond126.not = icmp eq i64 %indvars.iv.next124, 4
  br i1 %exitcond126.not, label %for.cond.cleanup60, label %for.body61, !llvm.loop !21
}

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg) #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #2

attributes #0 = { nofree nosync nounwind memory(argmem: readwrite) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #4 = { nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
!5 = distinct !{!5, !6, !7}
!6 = !{!"llvm.loop.mustprogress"}
!7 = !{!"llvm.loop.unroll.disable"}
!8 = !{!9, !9, i64 0}
!9 = !{!"double", !10, i64 0}
!10 = !{!"omnipotent char", !11, i64 0}
!11 = !{!"Simple C/C++ TBAA"}
!12 = distinct !{!12, !6, !7}
!13 = distinct !{!13, !6, !7}
!14 = distinct !{!14, !6, !7}
!15 = !{!16, !16, i64 0}
!16 = !{!"float", !10, i64 0}
!17 = distinct !{!17, !6, !7}
!18 = distinct !{!18, !6, !7}
!19 = distinct !{!19, !6, !7}
!20 = distinct !{!20, !6, !7}
!21 = distinct !{!21, !6, !7}
