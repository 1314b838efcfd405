target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.__va_list_tag = type { i32, i32, ptr, ptr }

@streams = internal global [3 x i8] zeroinitializer, align 1
@stdin = linkonce_odr global ptr @streams, align 8
@stdout = linkonce_odr global ptr getelementptr inbounds ([3 x i8], ptr @streams, i64 0, i64 1), align 8
@stderr = linkonce_odr global ptr getelementptr inbounds ([3 x i8], ptr @streams, i64 0, i64 2), align 8

; Function Attrs: nounwind uwtable
define linkonce_odr i32 @putc(i32 noundef %c, ptr noundef readnone %to) local_unnamed_addr #0 {
entry:
  %cmp.i = icmp eq ptr %to, getelementptr inbounds ([3 x i8], ptr @streams, i64 0, i64 1)
  br i1 %cmp.i, label %cond.true.i, label %cond.false.i

cond.true.i:                                      ; preds = %entry
  %call.i = tail call i32 @putchar(i32 noundef %c) #5
  br label %put.exit

cond.false.i:                                     ; preds = %entry
  %conv1.i = and i32 %c, 255
  br label %put.exit

put.exit:                                         ; preds = %cond.true.i, %cond.false.i
  %cond.i = phi i32 [ %call.i, %cond.true.i ], [ %conv1.i, %cond.false.i ]
  ret i32 %cond.i
}

; Function Attrs: nounwind uwtable
define linkonce_odr i32 @fputc(i32 noundef %c, ptr noundef readnone %to) local_unnamed_addr #0 {
entry:
  %cmp.i = icmp eq ptr %to, getelementptr inbounds ([3 x i8], ptr @streams, i64 0, i64 1)
  br i1 %cmp.i, label %cond.true.i, label %cond.false.i

cond.true.i:                                      ; preds = %entry
  %call.i = tail call i32 @putchar(i32 noundef %c) #5
  br label %put.exit

cond.false.i:                                     ; preds = %entry
  %conv1.i = and i32 %c, 255
  br label %put.exit

put.exit:                                         ; preds = %cond.true.i, %cond.false.i
  %cond.i = phi i32 [ %call.i, %cond.true.i ], [ %conv1.i, %cond.false.i ]
  ret i32 %cond.i
}

; Function Attrs: nounwind uwtable
define linkonce_odr i32 @_IO_putc(i32 noundef %c, ptr noundef readnone %to) local_unnamed_addr #0 {
entry:
  %cmp.i = icmp eq ptr %to, getelementptr inbounds ([3 x i8], ptr @streams, i64 0, i64 1)
  br i1 %cmp.i, label %cond.true.i, label %cond.false.i

cond.true.i:                                      ; preds = %entry
  %call.i = tail call i32 @putchar(i32 noundef %c) #5
  br label %put.exit

cond.false.i:                                     ; preds = %entry
  %conv1.i = and i32 %c, 255
  br label %put.exit

put.exit:                                         ; preds = %cond.true.i, %cond.false.i
  %cond.i = phi i32 [ %call.i, %cond.true.i ], [ %conv1.i, %cond.false.i ]
  ret i32 %cond.i
}

; Function Attrs: nounwind uwtable
define linkonce_odr i32 @putc_unlocked(i32 noundef %c, ptr noundef readnone %to) local_unnamed_addr #0 {
entry:
  %cmp.i = icmp eq ptr %to, getelementptr inbounds ([3 x i8], ptr @streams, i64 0, i64 1)
  br i1 %cmp.i, label %cond.true.i, label %cond.false.i

cond.true.i:                                      ; preds = %entry
  %call.i = tail call i32 @putchar(i32 noundef %c) #5
  br label %put.exit

cond.false.i:                                     ; preds = %entry
  %conv1.i = and i32 %c, 255
  br label %put.exit

put.exit:                                         ; preds = %cond.true.i, %cond.false.i
  %cond.i = phi i32 [ %call.i, %cond.true.i ], [ %conv1.i, %cond.false.i ]
  ret i32 %cond.i
}

; Function Attrs: nounwind uwtable
define linkonce_odr i32 @fputc_unlocked(i32 noundef %c, ptr noundef readnone %to) local_unnamed_addr #0 {
entry:
  %cmp.i = icmp eq ptr %to, getelementptr inbounds ([3 x i8], ptr @streams, i64 0, i64 1)
  br i1 %cmp.i, label %cond.true.i, label %cond.false.i

cond.true.i:                                      ; preds = %entry
  %call.i = tail call i32 @putchar(i32 noundef %c) #5
  br label %put.exit

cond.false.i:                                     ; preds = %entry
  %conv1.i = and i32 %c, 255
  br label %put.exit

put.exit:                                         ; preds = %cond.true.i, %cond.false.i
  %cond.i = phi i32 [ %call.i, %cond.true.i ], [ %conv1.i, %cond.false.i ]
  ret i32 %cond.i
}

; Function Attrs: nounwind uwtable
define linkonce_odr i32 @putchar_unlocked(i32 noundef %c) local_unnamed_addr #0 {
entry:
  %call = tail call i32 @putchar(i32 noundef %c) #5
  ret i32 %call
}

declare i32 @putchar(i32 noundef) local_unnamed_addr #1

; Function Attrs: nounwind uwtable
define linkonce_odr i32 @fputs(ptr noalias nocapture noundef readonly %s, ptr noalias noundef readnone %to) local_unnamed_addr #0 {
entry:
  %0 = load i8, ptr %s, align 1, !tbaa !5
  %tobool.not3 = icmp eq i8 %0, 0
  br i1 %tobool.not3, label %for.end, label %for.body.lr.ph

for.body.lr.ph:                                   ; preds = %entry
  %cmp.i = icmp eq ptr %to, getelementptr inbounds ([3 x i8], ptr @streams, i64 0, i64 1)
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %put.exit
  %1 = phi i8 [ %0, %for.body.lr.ph ], [ %2, %put.exit ]
  %s.addr.04 = phi ptr [ %s, %for.body.lr.ph ], [ %incdec.ptr, %put.exit ]
  br i1 %cmp.i, label %cond.true.i, label %put.exit

cond.true.i:                                      ; preds = %for.body
  %conv = sext i8 %1 to i32
  %call.i = tail call i32 @putchar(i32 noundef %conv) #5
  br label %put.exit

put.exit:                                         ; preds = %for.body, %cond.true.i
  %incdec.ptr = getelementptr inbounds i8, ptr %s.addr.04, i64 1
  %2 = load i8, ptr %incdec.ptr, align 1, !tbaa !5
  %tobool.not = icmp eq i8 %2, 0
  br i1 %tobool.not, label %for.end, label %for.body, !llvm.loop !8

for.end:                                          ; preds = %put.exit, %entry
  ret i32 1
}

; Function Attrs: nounwind uwtable
define linkonce_odr i64 @fwrite(ptr noalias nocapture noundef readonly %from, i64 noundef %size, i64 noundef %count, ptr noalias noundef readnone %to) local_unnamed_addr #0 {
entry:
  %mul = mul i64 %count, %size
  %cmp5.not = icmp eq i64 %mul, 0
  br i1 %cmp5.not, label %for.cond.cleanup, label %for.body.lr.ph

for.body.lr.ph:                                   ; preds = %entry
  %cmp.i = icmp eq ptr %to, getelementptr inbounds ([3 x i8], ptr @streams, i64 0, i64 1)
  br label %for.body

for.cond.cleanup:                                 ; preds = %put.exit, %entry
  %tobool.not = icmp eq i64 %size, 0
  %cond = select i1 %tobool.not, i64 0, i64 %count
  ret i64 %cond

for.body:                                         ; preds = %for.body.lr.ph, %put.exit
  %k.06 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %put.exit ]
  br i1 %cmp.i, label %cond.true.i, label %put.exit

cond.true.i:                                      ; preds = %for.body
  %arrayidx = getelementptr inbounds i8, ptr %from, i64 %k.06
  %0 = load i8, ptr %arrayidx, align 1, !tbaa !5
  %conv = sext i8 %0 to i32
  %call.i = tail call i32 @putchar(i32 noundef %conv) #5
  br label %put.exit

put.exit:                                         ; preds = %for.body, %cond.true.i
  %inc = add nuw i64 %k.06, 1
  %exitcond.not = icmp eq i64 %inc, %mul
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body, !llvm.loop !11
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #2

; Function Attrs: nounwind uwtable
define linkonce_odr i32 @vfprintf(ptr noalias noundef readnone %to, ptr noalias noundef %s, ptr noundef %arguments) local_unnamed_addr #0 {
entry:
  %cmp = icmp eq ptr %to, getelementptr inbounds ([3 x i8], ptr @streams, i64 0, i64 1)
  br i1 %cmp, label %cond.true, label %cond.false

cond.true:                                        ; preds = %entry
  %call = tail call i32 @vprintf(ptr noundef %s, ptr noundef %arguments) #5
  br label %cond.end

cond.false:                                       ; preds = %entry
  %call1 = tail call i32 @vsnprintf(ptr noundef null, i64 noundef 0, ptr noundef %s, ptr noundef %arguments) #5
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi i32 [ %call, %cond.true ], [ %call1, %cond.false ]
  ret i32 %cond
}

declare i32 @vprintf(ptr noundef, ptr noundef) local_unnamed_addr #1

declare i32 @vsnprintf(ptr noundef, i64 noundef, ptr noundef, ptr noundef) local_unnamed_addr #1

; Function Attrs: nounwind uwtable
define linkonce_odr i32 @fprintf(ptr noalias noundef readnone %to, ptr noalias noundef %s, ...) local_unnamed_addr #0 {
entry:
  %arguments = alloca [1 x %struct.__va_list_tag], align 16
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %arguments) #6
  call void @llvm.va_start(ptr nonnull %arguments)
  %cmp.i = icmp eq ptr %to, getelementptr inbounds ([3 x i8], ptr @streams, i64 0, i64 1)
  br i1 %cmp.i, label %cond.true.i, label %cond.false.i

cond.true.i:                                      ; preds = %entry
  %call.i = call i32 @vprintf(ptr noundef %s, ptr noundef nonnull %arguments) #5
  br label %vfprintf.exit

cond.false.i:                                     ; preds = %entry
  %call1.i = call i32 @vsnprintf(ptr noundef null, i64 noundef 0, ptr noundef %s, ptr noundef nonnull %arguments) #5
  br label %vfprintf.exit

vfprintf.exit:                                    ; preds = %cond.true.i, %cond.false.i
  %cond.i = phi i32 [ %call.i, %cond.true.i ], [ %call1.i, %cond.false.i ]
  call void @llvm.va_end(ptr %arguments)
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %arguments) #6
  ret i32 %cond.i
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn
declare void @llvm.va_start(ptr) #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn
declare void @llvm.va_end(ptr) #3

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i32 @fflush(ptr nocapture noundef readnone %of) local_unnamed_addr #4 {
entry:
  ret i32 0
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i32 @ferror(ptr nocapture noundef readnone %of) local_unnamed_addr #4 {
entry:
  ret i32 0
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i32 @getchar() local_unnamed_addr #4 {
entry:
  ret i32 -1
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i32 @getc(ptr nocapture noundef readnone %from) local_unnamed_addr #4 {
entry:
  ret i32 -1
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i32 @fgetc(ptr nocapture noundef readnone %from) local_unnamed_addr #4 {
entry:
  ret i32 -1
}

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #4 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nobuiltin nounwind "no-builtins" }
attributes #6 = { nounwind }

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
!11 = distinct !{!11, !9, !10}
