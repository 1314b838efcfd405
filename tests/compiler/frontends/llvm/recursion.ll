; ModuleID = 'recursion.c'
source_filename = "recursion.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define dso_local i64 @factorial(i64 noundef %n) local_unnamed_addr #0 {
entry:
  br label %tailrecurse

tailrecurse:                                      ; preds = %cond.false, %entry
  %accumulator.tr = phi i64 [ 1, %entry ], [ %mul, %cond.false ]
  %n.tr = phi i64 [ %n, %entry ], [ %sub, %cond.false ]
  %cmp = icmp slt i64 %n.tr, 2
  br i1 %cmp, label %cond.end, label %cond.false

cond.false:                                       ; preds = %tailrecurse
  %sub = add nsw i64 %n.tr, -1
  %mul = mul nsw i64 %accumulator.tr, %n.tr
  br label %tailrecurse

cond.end:                                         ; preds = %tailrecurse
  %accumulator.ret.tr = mul nsw i64 %accumulator.tr, 1
  ret i64 %accumulator.ret.tr
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define dso_local i32 @gcd(i32 noundef %a, i32 noundef %b) local_unnamed_addr #0 {
entry:
  br label %tailrecurse

tailrecurse:                                      ; preds = %cond.true, %entry
  %a.tr = phi i32 [ %a, %entry ], [ %b.tr, %cond.true ]
  %b.tr = phi i32 [ %b, %entry ], [ %rem, %cond.true ]
  %tobool.not = icmp eq i32 %b.tr, 0
  br i1 %tobool.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %tailrecurse
  %rem = srem i32 %a.tr, %b.tr
  br label %tailrecurse

cond.end:                                         ; preds = %tailrecurse
  ret i32 %a.tr
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define dso_local i32 @fibonacci(i32 noundef %n) local_unnamed_addr #0 {
entry:
  br label %tailrecurse

tailrecurse:                                      ; preds = %cond.false, %entry
  %accumulator.tr = phi i32 [ 0, %entry ], [ %add, %cond.false ]
  %n.tr = phi i32 [ %n, %entry ], [ %sub1, %cond.false ]
  %cmp = icmp slt i32 %n.tr, 2
  br i1 %cmp, label %cond.end, label %cond.false

cond.false:                                       ; preds = %tailrecurse
  %sub = add nsw i32 %n.tr, -1
  %call = tail call i32 @fibonacci(i32 noundef %sub)
  %sub1 = add nsw i32 %n.tr, -2
  %add = add nsw i32 %accumulator.tr, %call
  br label %tailrecurse

cond.end:                                         ; preds = %tailrecurse
  %accumulator.ret.tr = add nsw i32 %accumulator.tr, %n.tr
  ret i32 %accumulator.ret.tr
}

attributes #0 = { nofree nosync nounwind memory(none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
