; ModuleID = 'crc32.c'
source_filename = "crc32.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree nosync nounwind memory(argmem: read) uwtable
define dso_local i32 @crc32(ptr noalias nocapture noundef readonly %data, i64 noundef %n) local_unnamed_addr #0 {
entry:
  %table = alloca [256 x i32], align 16
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %table) #2
  br label %for.cond1.preheader.i

for.cond1.preheader.i:                            ; preds = %for.cond.cleanup3.i, %entry
  %indvars.iv.i = phi i64 [ 0, %entry ], [ %indvars.iv.next.i, %for.cond.cleanup3.i ]
  %0 = trunc i64 %indvars.iv.i to i32
  br label %for.body4.i

for.cond.cleanup3.i:                              ; preds = %for.body4.i
  %arrayidx.i = getelementptr inbounds i32, ptr %table, i64 %indvars.iv.i
  store i32 %cond.i, ptr %arrayidx.i, align 4, !tbaa !5
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond20.not.i = icmp eq i64 %indvars.iv.next.i, 256
  br i1 %exitcond20.not.i, label %for.cond.preheader, label %for.cond1.preheader.i, !llvm.loop !9

for.cond.preheader:                               ; preds = %for.cond.cleanup3.i
  %cmp7 = icmp sgt i64 %n, 0
  br i1 %cmp7, label %for.body, label %for.cond.cleanup

for.body4.i:                                      ; preds = %for.body4.i, %for.cond1.preheader.i
  %k.017.i = phi i32 [ 0, %for.cond1.preheader.i ], [ %inc.i, %for.body4.i ]
  %c.016.i = phi i32 [ %0, %for.cond1.preheader.i ], [ %cond.i, %for.body4.i ]
  %and.i = and i32 %c.016.i, 1
  %tobool.not.i = icmp eq i32 %and.i, 0
  %shr.i = lshr i32 %c.016.i, 1
  %xor.i = xor i32 %shr.i, -306674912
  %cond.i = select i1 %tobool.not.i, i32 %shr.i, i32 %xor.i
  %inc.i = add nuw nsw i32 %k.017.i, 1
  %exitcond.not.i = icmp eq i32 %inc.i, 8
  br i1 %exitcond.not.i, label %for.cond.cleanup3.i, label %for.body4.i, !llvm.loop !12

for.cond.cleanup.loopexit:                        ; preds = %for.body
  %1 = xor i32 %xor2, -1
  br label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %for.cond.cleanup.loopexit, %for.cond.preheader
  %c.0.lcssa = phi i32 [ 0, %for.cond.preheader ], [ %1, %for.cond.cleanup.loopexit ]
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %table) #2
  ret i32 %c.0.lcssa

for.body:                                         ; preds = %for.cond.preheader, %for.body
  %i.09 = phi i64 [ %inc, %for.body ], [ 0, %for.cond.preheader ]
  %c.08 = phi i32 [ %xor2, %for.body ], [ -1, %for.cond.preheader ]
  %arrayidx = getelementptr inbounds i8, ptr %data, i64 %i.09
  %2 = load i8, ptr %arrayidx, align 1, !tbaa !13
  %c.0.tr = trunc i32 %c.08 to i8
  %xor.narrow = xor i8 %2, %c.0.tr
  %idxprom = zext i8 %xor.narrow to i64
  %arrayidx1 = getelementptr inbounds [256 x i32], ptr %table, i64 0, i64 %idxprom
  %3 = load i32, ptr %arrayidx1, align 4, !tbaa !5
  %shr = lshr i32 %c.08, 8
  %xor2 = xor i32 %3, %shr
  %inc = add nuw nsw i64 %i.09, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup.loopexit, label %for.body, !llvm.loop !14
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

attributes #0 = { nofree nosync nounwind memory(argmem: read) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"int", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = distinct !{!9, !10, !11}
!10 = !{!"llvm.loop.mustprogress"}
!11 = !{!"llvm.loop.unroll.disable"}
!12 = distinct !{!12, !10, !11}
!13 = !{!7, !7, i64 0}
!14 = distinct !{!14, !10, !11}
