target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i32 @abs(i32 noundef %x) local_unnamed_addr #0 {
entry:
  %cond = tail call i32 @llvm.abs.i32(i32 %x, i1 true)
  ret i32 %cond
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i64 @labs(i64 noundef %x) local_unnamed_addr #0 {
entry:
  %cond = tail call i64 @llvm.abs.i64(i64 %x, i1 true)
  ret i64 %cond
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i64 @llabs(i64 noundef %x) local_unnamed_addr #0 {
entry:
  %cond = tail call i64 @llvm.abs.i64(i64 %x, i1 true)
  ret i64 %cond
}

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite) uwtable
define linkonce_odr ptr @memcpy(ptr noalias noundef returned writeonly %to, ptr noalias nocapture noundef readonly %from, i64 noundef %n) local_unnamed_addr #1 {
entry:
  %cmp6.not = icmp eq i64 %n, 0
  br i1 %cmp6.not, label %for.cond.cleanup, label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %entry
  ret ptr %to

for.body:                                         ; preds = %entry, %for.body
  %k.07 = phi i64 [ %inc, %for.body ], [ 0, %entry ]
  %arrayidx = getelementptr inbounds i8, ptr %from, i64 %k.07
  %0 = load i8, ptr %arrayidx, align 1, !tbaa !5
  %arrayidx1 = getelementptr inbounds i8, ptr %to, i64 %k.07
  store i8 %0, ptr %arrayidx1, align 1, !tbaa !5
  %inc = add nuw i64 %k.07, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body, !llvm.loop !8
}

; Function Attrs: nofree nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) uwtable
define linkonce_odr ptr @memmove(ptr noundef writeonly %to, ptr noundef readonly %from, i64 noundef %n) local_unnamed_addr #2 {
entry:
  %cmp.not = icmp ugt ptr %to, %from
  br i1 %cmp.not, label %while.cond.preheader, label %if.then

while.cond.preheader:                             ; preds = %entry
  %tobool.not11 = icmp eq i64 %n, 0
  br i1 %tobool.not11, label %return, label %while.body

if.then:                                          ; preds = %entry
  tail call void @llvm.experimental.noalias.scope.decl(metadata !11)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !14)
  %cmp6.not.i = icmp eq i64 %n, 0
  br i1 %cmp6.not.i, label %return, label %for.body.i

for.body.i:                                       ; preds = %if.then, %for.body.i
  %k.07.i = phi i64 [ %inc.i, %for.body.i ], [ 0, %if.then ]
  %arrayidx.i = getelementptr inbounds i8, ptr %from, i64 %k.07.i
  %0 = load i8, ptr %arrayidx.i, align 1, !tbaa !5, !alias.scope !14, !noalias !11
  %arrayidx1.i = getelementptr inbounds i8, ptr %to, i64 %k.07.i
  store i8 %0, ptr %arrayidx1.i, align 1, !tbaa !5, !alias.scope !11, !noalias !14
  %inc.i = add nuw i64 %k.07.i, 1
  %exitcond.not.i = icmp eq i64 %inc.i, %n
  br i1 %exitcond.not.i, label %return, label %for.body.i, !llvm.loop !8

while.body:                                       ; preds = %while.cond.preheader, %while.body
  %n.addr.012 = phi i64 [ %dec, %while.body ], [ %n, %while.cond.preheader ]
  %dec = add i64 %n.addr.012, -1
  %arrayidx = getelementptr inbounds i8, ptr %from, i64 %dec
  %1 = load i8, ptr %arrayidx, align 1, !tbaa !5
  %arrayidx1 = getelementptr inbounds i8, ptr %to, i64 %dec
  store i8 %1, ptr %arrayidx1, align 1, !tbaa !5
  %tobool.not = icmp eq i64 %dec, 0
  br i1 %tobool.not, label %return, label %while.body, !llvm.loop !16

return:                                           ; preds = %for.body.i, %while.body, %while.cond.preheader, %if.then
  ret ptr %to
}

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: write) uwtable
define linkonce_odr ptr @memset(ptr noundef returned writeonly %to, i32 noundef %byte, i64 noundef %n) local_unnamed_addr #3 {
entry:
  %cmp4.not = icmp eq i64 %n, 0
  br i1 %cmp4.not, label %for.cond.cleanup, label %for.body.lr.ph

for.body.lr.ph:                                   ; preds = %entry
  %conv = trunc i32 %byte to i8
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %entry
  ret ptr %to

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %k.05 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %for.body ]
  %arrayidx = getelementptr inbounds i8, ptr %to, i64 %k.05
  store i8 %conv, ptr %arrayidx, align 1, !tbaa !5
  %inc = add nuw i64 %k.05, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body, !llvm.loop !17
}

; Function Attrs: noreturn nounwind uwtable
define linkonce_odr void @abort() local_unnamed_addr #4 {
entry:
  tail call void @llvm.trap()
  unreachable
}

; Function Attrs: cold noreturn nounwind
declare void @llvm.trap() #5

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr double @sqrt(double noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call double @llvm.sqrt.f64(double %x)
  ret double %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.sqrt.f64(double) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr float @sqrtf(float noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call float @llvm.sqrt.f32(float %x)
  ret float %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.sqrt.f32(float) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr double @fabs(double noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call double @llvm.fabs.f64(double %x)
  ret double %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fabs.f64(double) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr float @fabsf(float noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call float @llvm.fabs.f32(float %x)
  ret float %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fabs.f32(float) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr double @floor(double noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call double @llvm.floor.f64(double %x)
  ret double %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.floor.f64(double) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr float @floorf(float noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call float @llvm.floor.f32(float %x)
  ret float %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.floor.f32(float) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr double @ceil(double noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call double @llvm.ceil.f64(double %x)
  ret double %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.ceil.f64(double) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr float @ceilf(float noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call float @llvm.ceil.f32(float %x)
  ret float %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.ceil.f32(float) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr double @trunc(double noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call double @llvm.trunc.f64(double %x)
  ret double %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.trunc.f64(double) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr float @truncf(float noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call float @llvm.trunc.f32(float %x)
  ret float %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.trunc.f32(float) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr double @rint(double noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call double @llvm.rint.f64(double %x)
  ret double %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.rint.f64(double) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr float @rintf(float noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call float @llvm.rint.f32(float %x)
  ret float %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.rint.f32(float) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr double @nearbyint(double noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call double @llvm.nearbyint.f64(double %x)
  ret double %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.nearbyint.f64(double) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr float @nearbyintf(float noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call float @llvm.nearbyint.f32(float %x)
  ret float %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.nearbyint.f32(float) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr double @round(double noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call double @llvm.round.f64(double %x)
  ret double %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.round.f64(double) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr float @roundf(float noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call float @llvm.round.f32(float %x)
  ret float %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.round.f32(float) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr double @fmin(double noundef %x, double noundef %y) local_unnamed_addr #0 {
entry:
  %0 = tail call double @llvm.minnum.f64(double %x, double %y)
  ret double %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.minnum.f64(double, double) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr float @fminf(float noundef %x, float noundef %y) local_unnamed_addr #0 {
entry:
  %0 = tail call float @llvm.minnum.f32(float %x, float %y)
  ret float %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.minnum.f32(float, float) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr double @fmax(double noundef %x, double noundef %y) local_unnamed_addr #0 {
entry:
  %0 = tail call double @llvm.maxnum.f64(double %x, double %y)
  ret double %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.maxnum.f64(double, double) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr float @fmaxf(float noundef %x, float noundef %y) local_unnamed_addr #0 {
entry:
  %0 = tail call float @llvm.maxnum.f32(float %x, float %y)
  ret float %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.maxnum.f32(float, float) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr double @copysign(double noundef %x, double noundef %y) local_unnamed_addr #0 {
entry:
  %0 = tail call double @llvm.copysign.f64(double %x, double %y)
  ret double %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.copysign.f64(double, double) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr float @copysignf(float noundef %x, float noundef %y) local_unnamed_addr #0 {
entry:
  %0 = tail call float @llvm.copysign.f32(float %x, float %y)
  ret float %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.copysign.f32(float, float) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i64 @lrint(double noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call i64 @llvm.lrint.i64.f64(double %x)
  ret i64 %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.lrint.i64.f64(double) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i64 @lrintf(float noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call i64 @llvm.lrint.i64.f32(float %x)
  ret i64 %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.lrint.i64.f32(float) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i64 @llrint(double noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call i64 @llvm.llrint.i64.f64(double %x)
  ret i64 %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.llrint.i64.f64(double) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i64 @llrintf(float noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call i64 @llvm.llrint.i64.f32(float %x)
  ret i64 %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.llrint.i64.f32(float) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i64 @lround(double noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call i64 @llvm.lround.i64.f64(double %x)
  ret i64 %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.lround.i64.f64(double) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i64 @lroundf(float noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call i64 @llvm.lround.i64.f32(float %x)
  ret i64 %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.lround.i64.f32(float) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i64 @llround(double noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call i64 @llvm.llround.i64.f64(double %x)
  ret i64 %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.llround.i64.f64(double) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i64 @llroundf(float noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call i64 @llvm.llround.i64.f32(float %x)
  ret i64 %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.llround.i64.f32(float) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr double @roundeven(double noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call double @llvm.rint.f64(double %x)
  ret double %0
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr float @roundevenf(float noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call float @llvm.rint.f32(float %x)
  ret float %0
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr double @fma(double noundef %x, double noundef %y, double noundef %z) local_unnamed_addr #0 {
entry:
  %0 = tail call double @llvm.fma.f64(double %x, double %y, double %z)
  ret double %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fma.f64(double, double, double) #6

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr float @fmaf(float noundef %x, float noundef %y, float noundef %z) local_unnamed_addr #0 {
entry:
  %0 = tail call float @llvm.fma.f32(float %x, float %y, float %z)
  ret float %0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fma.f32(float, float, float) #6

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.abs.i32(i32, i1 immarg) #7

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.abs.i64(i64, i1 immarg) #7

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @llvm.experimental.noalias.scope.decl(metadata) #8

attributes #0 = { mustprogress nofree nosync nounwind willreturn memory(none) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nofree norecurse nosync nounwind memory(argmem: readwrite) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { nofree nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nofree norecurse nosync nounwind memory(argmem: write) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { noreturn nounwind uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { cold noreturn nounwind }
attributes #6 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #7 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #8 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }

!llvm.module.flags = !{!0, !1, !2, !3}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!5 = !{!6, !6, i64 0}
!6 = !{!"omnipotent char", !7, i64 0}
!7 = !{!"Simple C/C++ TBAA"}
!8 = distinct !{!8, !9, !10}
!9 = !{!"llvm.loop.mustprogress"}
!10 = !{!"llvm.loop.unroll.disable"}
!11 = !{!12}
!12 = distinct !{!12, !13, !"memcpy: %to"}
!13 = distinct !{!13, !"memcpy"}
!14 = !{!15}
!15 = distinct !{!15, !13, !"memcpy: %from"}
!16 = distinct !{!16, !9, !10}
!17 = distinct !{!17, !9, !10}
