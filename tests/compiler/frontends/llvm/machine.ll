; ModuleID = 'machine.c'
source_filename = "machine.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@.str = private unnamed_addr constant [10 x i8] c"far below\00", align 1
@.str.1 = private unnamed_addr constant [8 x i8] c"nothing\00", align 1
@.str.2 = private unnamed_addr constant [6 x i8] c"seven\00", align 1
@.str.3 = private unnamed_addr constant [10 x i8] c"far above\00", align 1
@.str.4 = private unnamed_addr constant [2 x i8] c"?\00", align 1

; Function Attrs: nofree nosync nounwind memory(argmem: readwrite) uwtable
define dso_local i64 @run(ptr nocapture noundef readonly %code, i32 noundef %n, ptr nocapture noundef %steps) local_unnamed_addr #0 {
entry:
  %stack = alloca [32 x i64], align 16
  call void @llvm.lifetime.start.p0(i64 256, ptr nonnull %stack) #3
  %cmp119 = icmp sgt i32 %n, 0
  br i1 %cmp119, label %for.body, label %cleanup.loopexit

for.body:                                         ; preds = %entry, %for.inc
  %at.0122 = phi i32 [ %at.1, %for.inc ], [ 0, %entry ]
  %top.0121 = phi i32 [ %top.1, %for.inc ], [ 0, %entry ]
  %storemerge120 = phi i64 [ %inc80, %for.inc ], [ 0, %entry ]
  %inc = add nsw i32 %at.0122, 1
  %idxprom = sext i32 %at.0122 to i64
  %arrayidx = getelementptr inbounds i32, ptr %code, i64 %idxprom
  %0 = load i32, ptr %arrayidx, align 4, !tbaa !5
  switch i32 %0, label %cleanup.loopexit [
    i32 0, label %sw.bb
    i32 1, label %sw.bb8
    i32 2, label %sw.bb13
    i32 3, label %sw.bb21
    i32 4, label %sw.bb28
    i32 5, label %sw.bb40
    i32 6, label %sw.bb47
    i32 7, label %sw.bb60
    i32 8, label %sw.bb68
    i32 200, label %sw.bb76
  ]

sw.bb:                                            ; preds = %for.body
  %inc2 = add nsw i32 %at.0122, 2
  %idxprom3 = sext i32 %inc to i64
  %arrayidx4 = getelementptr inbounds i32, ptr %code, i64 %idxprom3
  %1 = load i32, ptr %arrayidx4, align 4, !tbaa !5
  %conv = sext i32 %1 to i64
  %inc5 = add nsw i32 %top.0121, 1
  %idxprom6 = sext i32 %top.0121 to i64
  %arrayidx7 = getelementptr inbounds [32 x i64], ptr %stack, i64 0, i64 %idxprom6
  store i64 %conv, ptr %arrayidx7, align 8, !tbaa !9
  br label %for.inc

sw.bb8:                                           ; preds = %for.body
  %dec = add nsw i32 %top.0121, -1
  %idxprom9 = sext i32 %dec to i64
  %arrayidx10 = getelementptr inbounds [32 x i64], ptr %stack, i64 0, i64 %idxprom9
  %2 = load i64, ptr %arrayidx10, align 8, !tbaa !9
  %sub = add nsw i32 %top.0121, -2
  %idxprom11 = sext i32 %sub to i64
  %arrayidx12 = getelementptr inbounds [32 x i64], ptr %stack, i64 0, i64 %idxprom11
  %3 = load i64, ptr %arrayidx12, align 8, !tbaa !9
  %add = add nsw i64 %3, %2
  store i64 %add, ptr %arrayidx12, align 8, !tbaa !9
  br label %for.inc

sw.bb13:                                          ; preds = %for.body
  %dec14 = add nsw i32 %top.0121, -1
  %idxprom15 = sext i32 %dec14 to i64
  %arrayidx16 = getelementptr inbounds [32 x i64], ptr %stack, i64 0, i64 %idxprom15
  %4 = load i64, ptr %arrayidx16, align 8, !tbaa !9
  %sub17 = add nsw i32 %top.0121, -2
  %idxprom18 = sext i32 %sub17 to i64
  %arrayidx19 = getelementptr inbounds [32 x i64], ptr %stack, i64 0, i64 %idxprom18
  %5 = load i64, ptr %arrayidx19, align 8, !tbaa !9
  %sub20 = sub nsw i64 %5, %4
  store i64 %sub20, ptr %arrayidx19, align 8, !tbaa !9
  br label %for.inc

sw.bb21:                                          ; preds = %for.body
  %dec22 = add nsw i32 %top.0121, -1
  %idxprom23 = sext i32 %dec22 to i64
  %arrayidx24 = getelementptr inbounds [32 x i64], ptr %stack, i64 0, i64 %idxprom23
  %6 = load i64, ptr %arrayidx24, align 8, !tbaa !9
  %sub25 = add nsw i32 %top.0121, -2
  %idxprom26 = sext i32 %sub25 to i64
  %arrayidx27 = getelementptr inbounds [32 x i64], ptr %stack, i64 0, i64 %idxprom26
  %7 = load i64, ptr %arrayidx27, align 8, !tbaa !9
  %mul = mul nsw i64 %7, %6
  store i64 %mul, ptr %arrayidx27, align 8, !tbaa !9
  br label %for.inc

sw.bb28:                                          ; preds = %for.body
  %dec29 = add nsw i32 %top.0121, -1
  %idxprom30 = sext i32 %dec29 to i64
  %arrayidx31 = getelementptr inbounds [32 x i64], ptr %stack, i64 0, i64 %idxprom30
  %8 = load i64, ptr %arrayidx31, align 8, !tbaa !9
  %tobool.not = icmp eq i64 %8, 0
  br i1 %tobool.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %sw.bb28
  %sub32 = add nsw i32 %top.0121, -2
  %idxprom33 = sext i32 %sub32 to i64
  %arrayidx34 = getelementptr inbounds [32 x i64], ptr %stack, i64 0, i64 %idxprom33
  %9 = load i64, ptr %arrayidx34, align 8, !tbaa !9
  %div = sdiv i64 %9, %8
  br label %cond.end

cond.end:                                         ; preds = %sw.bb28, %cond.true
  %cond = phi i64 [ %div, %cond.true ], [ 0, %sw.bb28 ]
  %sub37 = add nsw i32 %top.0121, -2
  %idxprom38 = sext i32 %sub37 to i64
  %arrayidx39 = getelementptr inbounds [32 x i64], ptr %stack, i64 0, i64 %idxprom38
  store i64 %cond, ptr %arrayidx39, align 8, !tbaa !9
  br label %for.inc

sw.bb40:                                          ; preds = %for.body
  %sub41 = add nsw i32 %top.0121, -1
  %idxprom42 = sext i32 %sub41 to i64
  %arrayidx43 = getelementptr inbounds [32 x i64], ptr %stack, i64 0, i64 %idxprom42
  %10 = load i64, ptr %arrayidx43, align 8, !tbaa !9
  %idxprom44 = sext i32 %top.0121 to i64
  %arrayidx45 = getelementptr inbounds [32 x i64], ptr %stack, i64 0, i64 %idxprom44
  store i64 %10, ptr %arrayidx45, align 8, !tbaa !9
  %inc46 = add nsw i32 %top.0121, 1
  br label %for.inc

sw.bb47:                                          ; preds = %for.body
  %sub48 = add nsw i32 %top.0121, -1
  %idxprom49 = sext i32 %sub48 to i64
  %arrayidx50 = getelementptr inbounds [32 x i64], ptr %stack, i64 0, i64 %idxprom49
  %11 = load i64, ptr %arrayidx50, align 8, !tbaa !9
  %sub51 = add nsw i32 %top.0121, -2
  %idxprom52 = sext i32 %sub51 to i64
  %arrayidx53 = getelementptr inbounds [32 x i64], ptr %stack, i64 0, i64 %idxprom52
  %12 = load i64, ptr %arrayidx53, align 8, !tbaa !9
  store i64 %12, ptr %arrayidx50, align 8, !tbaa !9
  store i64 %11, ptr %arrayidx53, align 8, !tbaa !9
  br label %for.inc

sw.bb60:                                          ; preds = %for.body
  %dec61 = add nsw i32 %top.0121, -1
  %idxprom62 = sext i32 %dec61 to i64
  %arrayidx63 = getelementptr inbounds [32 x i64], ptr %stack, i64 0, i64 %idxprom62
  %13 = load i64, ptr %arrayidx63, align 8, !tbaa !9
  %tobool64.not = icmp eq i64 %13, 0
  br i1 %tobool64.not, label %if.else, label %if.then

if.then:                                          ; preds = %sw.bb60
  %idxprom65 = sext i32 %inc to i64
  %arrayidx66 = getelementptr inbounds i32, ptr %code, i64 %idxprom65
  %14 = load i32, ptr %arrayidx66, align 4, !tbaa !5
  br label %for.inc

if.else:                                          ; preds = %sw.bb60
  %inc67 = add nsw i32 %at.0122, 2
  br label %for.inc

sw.bb68:                                          ; preds = %for.body
  %sub69 = add nsw i32 %top.0121, -1
  %idxprom70 = sext i32 %sub69 to i64
  %arrayidx71 = getelementptr inbounds [32 x i64], ptr %stack, i64 0, i64 %idxprom70
  %15 = load i64, ptr %arrayidx71, align 8, !tbaa !9
  %sub72 = sub nsw i64 0, %15
  store i64 %sub72, ptr %arrayidx71, align 8, !tbaa !9
  br label %for.inc

sw.bb76:                                          ; preds = %for.body
  store i64 %storemerge120, ptr %steps, align 8, !tbaa !9
  %sub77 = add nsw i32 %top.0121, -1
  %idxprom78 = sext i32 %sub77 to i64
  %arrayidx79 = getelementptr inbounds [32 x i64], ptr %stack, i64 0, i64 %idxprom78
  %16 = load i64, ptr %arrayidx79, align 8, !tbaa !9
  br label %cleanup

for.inc:                                          ; preds = %sw.bb, %sw.bb8, %sw.bb13, %sw.bb21, %cond.end, %sw.bb40, %sw.bb47, %sw.bb68, %if.else, %if.then
  %top.1 = phi i32 [ %top.0121, %sw.bb68 ], [ %dec61, %if.then ], [ %dec61, %if.else ], [ %top.0121, %sw.bb47 ], [ %inc46, %sw.bb40 ], [ %dec29, %cond.end ], [ %dec22, %sw.bb21 ], [ %dec14, %sw.bb13 ], [ %dec, %sw.bb8 ], [ %inc5, %sw.bb ]
  %at.1 = phi i32 [ %inc, %sw.bb68 ], [ %14, %if.then ], [ %inc67, %if.else ], [ %inc, %sw.bb47 ], [ %inc, %sw.bb40 ], [ %inc, %cond.end ], [ %inc, %sw.bb21 ], [ %inc, %sw.bb13 ], [ %inc, %sw.bb8 ], [ %inc2, %sw.bb ]
  %inc80 = add nuw nsw i64 %storemerge120, 1
  %cmp = icmp slt i32 %at.1, %n
  %cmp1 = icmp ult i64 %storemerge120, 9999
  %or.cond = select i1 %cmp, i1 %cmp1, i1 false
  br i1 %or.cond, label %for.body, label %cleanup.loopexit, !llvm.loop !11

cleanup.loopexit:                                 ; preds = %for.inc, %for.body, %entry
  %storemerge.lcssa = phi i64 [ 0, %entry ], [ %inc80, %for.inc ], [ %storemerge120, %for.body ]
  %retval.0.ph = phi i64 [ -2, %entry ], [ -2, %for.inc ], [ -1, %for.body ]
  store i64 %storemerge.lcssa, ptr %steps, align 8, !tbaa !9
  br label %cleanup

cleanup:                                          ; preds = %cleanup.loopexit, %sw.bb76
  %retval.0 = phi i64 [ %16, %sw.bb76 ], [ %retval.0.ph, %cleanup.loopexit ]
  call void @llvm.lifetime.end.p0(i64 256, ptr nonnull %stack) #3
  ret i64 %retval.0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define dso_local i32 @days(i32 noundef %month, i32 noundef %leap) local_unnamed_addr #2 {
entry:
  switch i32 %month, label %sw.default [
    i32 2, label %sw.bb
    i32 4, label %return
    i32 6, label %return
    i32 9, label %return
    i32 11, label %return
  ]

sw.bb:                                            ; preds = %entry
  %add = add nsw i32 %leap, 28
  br label %return

sw.default:                                       ; preds = %entry
  %0 = add i32 %month, -13
  %1 = icmp ult i32 %0, -12
  %cond = select i1 %1, i32 0, i32 31
  br label %return

return:                                           ; preds = %entry, %entry, %entry, %entry, %sw.default, %sw.bb
  %retval.0 = phi i32 [ %cond, %sw.default ], [ %add, %sw.bb ], [ 30, %entry ], [ 30, %entry ], [ 30, %entry ], [ 30, %entry ]
  ret i32 %retval.0
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define dso_local nonnull ptr @name(i64 noundef %key) local_unnamed_addr #2 {
entry:
  switch i64 %key, label %sw.epilog [
    i64 -5000000000, label %return
    i64 0, label %sw.bb1
    i64 7, label %sw.bb2
    i64 5000000000, label %sw.bb3
  ]

sw.bb1:                                           ; preds = %entry
  br label %return

sw.bb2:                                           ; preds = %entry
  br label %return

sw.bb3:                                           ; preds = %entry
  br label %return

sw.epilog:                                        ; preds = %entry
  br label %return

return:                                           ; preds = %entry, %sw.epilog, %sw.bb3, %sw.bb2, %sw.bb1
  %retval.0 = phi ptr [ @.str.4, %sw.epilog ], [ @.str.3, %sw.bb3 ], [ @.str.2, %sw.bb2 ], [ @.str.1, %sw.bb1 ], [ @.str, %entry ]
  ret ptr %retval.0
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define dso_local i32 @letter(i64 noundef %key, i32 noundef %at) local_unnamed_addr #2 {
entry:
  switch i64 %key, label %sw.epilog.i [
    i64 -5000000000, label %name.exit
    i64 0, label %sw.bb1.i
    i64 7, label %sw.bb2.i
    i64 5000000000, label %sw.bb3.i
  ]

sw.bb1.i:                                         ; preds = %entry
  br label %name.exit

sw.bb2.i:                                         ; preds = %entry
  br label %name.exit

sw.bb3.i:                                         ; preds = %entry
  br label %name.exit

sw.epilog.i:                                      ; preds = %entry
  br label %name.exit

name.exit:                                        ; preds = %entry, %sw.bb1.i, %sw.bb2.i, %sw.bb3.i, %sw.epilog.i
  %retval.0.i = phi ptr [ @.str.4, %sw.epilog.i ], [ @.str.3, %sw.bb3.i ], [ @.str.2, %sw.bb2.i ], [ @.str.1, %sw.bb1.i ], [ @.str, %entry ]
  %idxprom = sext i32 %at to i64
  %arrayidx = getelementptr inbounds i8, ptr %retval.0.i, i64 %idxprom
  %0 = load i8, ptr %arrayidx, align 1, !tbaa !14
  %conv = sext i8 %0 to i32
  ret i32 %conv
}

attributes #0 = { nofree nosync nounwind memory(argmem: readwrite) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nounwind }

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
!9 = !{!10, !10, i64 0}
!10 = !{!"long", !7, i64 0}
!11 = distinct !{!11, !12, !13}
!12 = !{!"llvm.loop.mustprogress"}
!13 = !{!"llvm.loop.unroll.disable"}
!14 = !{!7, !7, i64 0}
