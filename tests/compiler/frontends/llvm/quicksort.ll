; ModuleID = 'quicksort.c'
source_filename = "quicksort.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.anon = type { i32, i32 }

; Function Attrs: nofree nosync nounwind memory(argmem: readwrite) uwtable
define dso_local i32 @quicksort(ptr nocapture noundef %x, i32 noundef %n) local_unnamed_addr #0 {
entry:
  %stack = alloca [64 x %struct.anon], align 16
  call void @llvm.lifetime.start.p0(i64 512, ptr nonnull %stack) #2
  store i32 0, ptr %stack, align 16, !tbaa !5
  %sub = add nsw i32 %n, -1
  %high = getelementptr inbounds %struct.anon, ptr %stack, i64 0, i32 1
  store i32 %sub, ptr %high, align 4, !tbaa !10
  br label %while.body

while.body:                                       ; preds = %entry, %cleanup
  %depth.0112 = phi i32 [ 1, %entry ], [ %depth.1, %cleanup ]
  %splits.0111 = phi i32 [ 0, %entry ], [ %splits.1, %cleanup ]
  %dec = add nsw i32 %depth.0112, -1
  %idxprom4 = sext i32 %dec to i64
  %arrayidx5 = getelementptr inbounds [64 x %struct.anon], ptr %stack, i64 0, i64 %idxprom4
  %0 = load i32, ptr %arrayidx5, align 8, !tbaa !5
  %high10 = getelementptr inbounds [64 x %struct.anon], ptr %stack, i64 0, i64 %idxprom4, i32 1
  %1 = load i32, ptr %high10, align 4, !tbaa !10
  %sub11 = sub nsw i32 %1, %0
  %cmp = icmp slt i32 %sub11, 8
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %while.body
  %cmp.not.not34.i = icmp sgt i32 %1, %0
  br i1 %cmp.not.not34.i, label %for.body.preheader.i, label %insertion.exit

for.body.preheader.i:                             ; preds = %if.then
  %2 = sext i32 %0 to i64
  %wide.trip.count.i = sext i32 %1 to i64
  br label %for.body.i

for.body.i:                                       ; preds = %for.end.i, %for.body.preheader.i
  %indvars.iv39.i = phi i64 [ %2, %for.body.preheader.i ], [ %indvars.iv.next40.i, %for.end.i ]
  %indvars.iv.next40.i = add nsw i64 %indvars.iv39.i, 1
  %arrayidx.i = getelementptr inbounds i32, ptr %x, i64 %indvars.iv.next40.i
  %3 = load i32, ptr %arrayidx.i, align 4, !tbaa !11
  %cmp230.not.i = icmp slt i64 %indvars.iv39.i, %2
  %4 = trunc i64 %indvars.iv.next40.i to i32
  br i1 %cmp230.not.i, label %for.end.i, label %land.rhs.i

land.rhs.i:                                       ; preds = %for.body.i, %for.body6.i
  %indvars.iv36.i = phi i64 [ %indvars.iv.next37.i, %for.body6.i ], [ %indvars.iv.next40.i, %for.body.i ]
  %indvars.iv.next37.i = add nsw i64 %indvars.iv36.i, -1
  %arrayidx4.i = getelementptr inbounds i32, ptr %x, i64 %indvars.iv.next37.i
  %5 = load i32, ptr %arrayidx4.i, align 4, !tbaa !11
  %cmp5.i = icmp sgt i32 %5, %3
  br i1 %cmp5.i, label %for.body6.i, label %for.end.i.loopexit.split.loop.exit

for.body6.i:                                      ; preds = %land.rhs.i
  %arrayidx11.i = getelementptr inbounds i32, ptr %x, i64 %indvars.iv36.i
  store i32 %5, ptr %arrayidx11.i, align 4, !tbaa !11
  %cmp2.i = icmp sgt i64 %indvars.iv.next37.i, %2
  br i1 %cmp2.i, label %land.rhs.i, label %for.end.i, !llvm.loop !12

for.end.i.loopexit.split.loop.exit:               ; preds = %land.rhs.i
  %6 = trunc i64 %indvars.iv36.i to i32
  br label %for.end.i

for.end.i:                                        ; preds = %for.body6.i, %for.end.i.loopexit.split.loop.exit, %for.body.i
  %j.0.lcssa.i = phi i32 [ %4, %for.body.i ], [ %6, %for.end.i.loopexit.split.loop.exit ], [ %0, %for.body6.i ]
  %idxprom12.i = sext i32 %j.0.lcssa.i to i64
  %arrayidx13.i = getelementptr inbounds i32, ptr %x, i64 %idxprom12.i
  store i32 %3, ptr %arrayidx13.i, align 4, !tbaa !11
  %exitcond.not.i = icmp eq i64 %indvars.iv.next40.i, %wide.trip.count.i
  br i1 %exitcond.not.i, label %insertion.exit, label %for.body.i, !llvm.loop !15

insertion.exit:                                   ; preds = %for.end.i, %if.then
  br label %cleanup, !llvm.loop !16

if.end:                                           ; preds = %while.body
  %div103 = lshr i32 %sub11, 1
  %add = add nsw i32 %div103, %0
  %idxprom13 = sext i32 %add to i64
  %arrayidx14 = getelementptr inbounds i32, ptr %x, i64 %idxprom13
  %7 = load i32, ptr %arrayidx14, align 4, !tbaa !11
  %cmp16.not105 = icmp slt i32 %1, %0
  br i1 %cmp16.not105, label %while.end44, label %while.cond18.preheader

while.cond18.preheader:                           ; preds = %if.end, %if.end43
  %j.0107 = phi i32 [ %j.2, %if.end43 ], [ %1, %if.end ]
  %i.0106 = phi i32 [ %i.2, %if.end43 ], [ %0, %if.end ]
  %8 = sext i32 %i.0106 to i64
  br label %while.cond18

while.cond18:                                     ; preds = %while.cond18, %while.cond18.preheader
  %indvars.iv = phi i64 [ %indvars.iv.next, %while.cond18 ], [ %8, %while.cond18.preheader ]
  %arrayidx20 = getelementptr inbounds i32, ptr %x, i64 %indvars.iv
  %9 = load i32, ptr %arrayidx20, align 4, !tbaa !11
  %cmp21 = icmp slt i32 %9, %7
  %indvars.iv.next = add i64 %indvars.iv, 1
  br i1 %cmp21, label %while.cond18, label %while.cond24.preheader, !llvm.loop !17

while.cond24.preheader:                           ; preds = %while.cond18
  %10 = trunc i64 %indvars.iv to i32
  %11 = sext i32 %j.0107 to i64
  br label %while.cond24

while.cond24:                                     ; preds = %while.cond24, %while.cond24.preheader
  %indvars.iv116 = phi i64 [ %indvars.iv.next117, %while.cond24 ], [ %11, %while.cond24.preheader ]
  %arrayidx26 = getelementptr inbounds i32, ptr %x, i64 %indvars.iv116
  %12 = load i32, ptr %arrayidx26, align 4, !tbaa !11
  %cmp27 = icmp sgt i32 %12, %7
  %indvars.iv.next117 = add i64 %indvars.iv116, -1
  br i1 %cmp27, label %while.cond24, label %while.end30, !llvm.loop !18

while.end30:                                      ; preds = %while.cond24
  %13 = trunc i64 %indvars.iv116 to i32
  %cmp31.not = icmp sgt i32 %10, %13
  br i1 %cmp31.not, label %if.end43, label %if.then32

if.then32:                                        ; preds = %while.end30
  %arrayidx20.le = getelementptr inbounds i32, ptr %x, i64 %indvars.iv
  %arrayidx26.le = getelementptr inbounds i32, ptr %x, i64 %indvars.iv116
  %inc37 = add nsw i32 %10, 1
  store i32 %12, ptr %arrayidx20.le, align 4, !tbaa !11
  %dec40 = add nsw i32 %13, -1
  store i32 %9, ptr %arrayidx26.le, align 4, !tbaa !11
  br label %if.end43

if.end43:                                         ; preds = %if.then32, %while.end30
  %i.2 = phi i32 [ %inc37, %if.then32 ], [ %10, %while.end30 ]
  %j.2 = phi i32 [ %dec40, %if.then32 ], [ %13, %while.end30 ]
  %cmp16.not = icmp sgt i32 %i.2, %j.2
  br i1 %cmp16.not, label %while.end44, label %while.cond18.preheader, !llvm.loop !19

while.end44:                                      ; preds = %if.end43, %if.end
  %i.0.lcssa = phi i32 [ %0, %if.end ], [ %i.2, %if.end43 ]
  %j.0.lcssa = phi i32 [ %1, %if.end ], [ %j.2, %if.end43 ]
  %inc45 = add nsw i32 %splits.0111, 1
  store i32 %j.0.lcssa, ptr %high10, align 4, !tbaa !10
  %idxprom53 = sext i32 %depth.0112 to i64
  %arrayidx54 = getelementptr inbounds [64 x %struct.anon], ptr %stack, i64 0, i64 %idxprom53
  store i32 %i.0.lcssa, ptr %arrayidx54, align 8, !tbaa !5
  %inc56 = add nsw i32 %depth.0112, 1
  %high59 = getelementptr inbounds [64 x %struct.anon], ptr %stack, i64 0, i64 %idxprom53, i32 1
  store i32 %1, ptr %high59, align 4, !tbaa !10
  br label %cleanup

cleanup:                                          ; preds = %while.end44, %insertion.exit
  %splits.1 = phi i32 [ %splits.0111, %insertion.exit ], [ %inc45, %while.end44 ]
  %depth.1 = phi i32 [ %dec, %insertion.exit ], [ %inc56, %while.end44 ]
  %tobool.not = icmp eq i32 %depth.1, 0
  br i1 %tobool.not, label %while.end61, label %while.body

while.end61:                                      ; preds = %cleanup
  call void @llvm.lifetime.end.p0(i64 512, ptr nonnull %stack) #2
  ret i32 %splits.1
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

attributes #0 = { nofree nosync nounwind memory(argmem: readwrite) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
!5 = !{!6, !7, i64 0}
!6 = !{!"", !7, i64 0, !7, i64 4}
!7 = !{!"int", !8, i64 0}
!8 = !{!"omnipotent char", !9, i64 0}
!9 = !{!"Simple C/C++ TBAA"}
!10 = !{!6, !7, i64 4}
!11 = !{!7, !7, i64 0}
!12 = distinct !{!12, !13, !14}
!13 = !{!"llvm.loop.mustprogress"}
!14 = !{!"llvm.loop.unroll.disable"}
!15 = distinct !{!15, !13, !14}
!16 = distinct !{!16, !13, !14}
!17 = distinct !{!17, !13, !14}
!18 = distinct !{!18, !13, !14}
!19 = distinct !{!19, !13, !14}
