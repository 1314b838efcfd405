; ModuleID = 'crc32.c'
source_filename = "crc32.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: nofree nosync nounwind memory(argmem: read) uwtable
define dso_local i32 @crc32(ptr noalias nocapture noundef readonly %data, i64 noundef %n) local_unnamed_addr #0 !dbg !9 {
entry:
  %table = alloca [256 x i32], align 16
  call void @llvm.dbg.value(metadata ptr %data, metadata !28, metadata !DIExpression()), !dbg !37
  call void @llvm.dbg.value(metadata i64 %n, metadata !29, metadata !DIExpression()), !dbg !37
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %table) #4, !dbg !38
  call void @llvm.dbg.declare(metadata ptr %table, metadata !30, metadata !DIExpression()), !dbg !39
  call void @llvm.dbg.value(metadata i32 -1, metadata !34, metadata !DIExpression()), !dbg !37
  call void @llvm.dbg.value(metadata ptr %table, metadata !40, metadata !DIExpression()), !dbg !54
  call void @llvm.dbg.value(metadata i32 0, metadata !46, metadata !DIExpression()), !dbg !56
  br label %for.cond1.preheader.i, !dbg !57

for.cond1.preheader.i:                            ; preds = %for.cond.cleanup3.i, %entry
  %indvars.iv.i = phi i64 [ 0, %entry ], [ %indvars.iv.next.i, %for.cond.cleanup3.i ]
  call void @llvm.dbg.value(metadata i64 %indvars.iv.i, metadata !46, metadata !DIExpression()), !dbg !56
  call void @llvm.dbg.value(metadata i32 0, metadata !51, metadata !DIExpression()), !dbg !58
  call void @llvm.dbg.value(metadata i64 %indvars.iv.i, metadata !48, metadata !DIExpression()), !dbg !59
  %0 = trunc i64 %indvars.iv.i to i32, !dbg !60
  br label %for.body4.i, !dbg !60

for.cond.cleanup3.i:                              ; preds = %for.body4.i
  %arrayidx.i = getelementptr inbounds i32, ptr %table, i64 %indvars.iv.i, !dbg !61
  store i32 %cond.i, ptr %arrayidx.i, align 4, !dbg !62, !tbaa !63
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1, !dbg !67
  call void @llvm.dbg.value(metadata i64 %indvars.iv.next.i, metadata !46, metadata !DIExpression()), !dbg !56
  %exitcond20.not.i = icmp eq i64 %indvars.iv.next.i, 256, !dbg !68
  br i1 %exitcond20.not.i, label %for.cond.preheader, label %for.cond1.preheader.i, !dbg !57, !llvm.loop !69

for.cond.preheader:                               ; preds = %for.cond.cleanup3.i
  call void @llvm.dbg.value(metadata i64 0, metadata !35, metadata !DIExpression()), !dbg !73
  call void @llvm.dbg.value(metadata i32 -1, metadata !34, metadata !DIExpression()), !dbg !37
  %cmp7 = icmp sgt i64 %n, 0, !dbg !74
  br i1 %cmp7, label %for.body, label %for.cond.cleanup, !dbg !76

for.body4.i:                                      ; preds = %for.body4.i, %for.cond1.preheader.i
  %k.017.i = phi i32 [ 0, %for.cond1.preheader.i ], [ %inc.i, %for.body4.i ]
  %c.016.i = phi i32 [ %0, %for.cond1.preheader.i ], [ %cond.i, %for.body4.i ]
  call void @llvm.dbg.value(metadata i32 %k.017.i, metadata !51, metadata !DIExpression()), !dbg !58
  call void @llvm.dbg.value(metadata i32 %c.016.i, metadata !48, metadata !DIExpression()), !dbg !59
  %and.i = and i32 %c.016.i, 1, !dbg !77
  %tobool.not.i = icmp eq i32 %and.i, 0, !dbg !77
  %shr.i = lshr i32 %c.016.i, 1, !dbg !79
  %xor.i = xor i32 %shr.i, -306674912, !dbg !79
  %cond.i = select i1 %tobool.not.i, i32 %shr.i, i32 %xor.i, !dbg !79
  call void @llvm.dbg.value(metadata i32 %cond.i, metadata !48, metadata !DIExpression()), !dbg !59
  %inc.i = add nuw nsw i32 %k.017.i, 1, !dbg !80
  call void @llvm.dbg.value(metadata i32 %inc.i, metadata !51, metadata !DIExpression()), !dbg !58
  %exitcond.not.i = icmp eq i32 %inc.i, 8, !dbg !81
  br i1 %exitcond.not.i, label %for.cond.cleanup3.i, label %for.body4.i, !dbg !60, !llvm.loop !82

for.cond.cleanup.loopexit:                        ; preds = %for.body
  %1 = xor i32 %xor2, -1, !dbg !84
  br label %for.cond.cleanup, !dbg !84

for.cond.cleanup:                                 ; preds = %for.cond.cleanup.loopexit, %for.cond.preheader
  %c.0.lcssa = phi i32 [ 0, %for.cond.preheader ], [ %1, %for.cond.cleanup.loopexit ]
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %table) #4, !dbg !85
  ret i32 %c.0.lcssa, !dbg !86

for.body:                                         ; preds = %for.cond.preheader, %for.body
  %i.09 = phi i64 [ %inc, %for.body ], [ 0, %for.cond.preheader ]
  %c.08 = phi i32 [ %xor2, %for.body ], [ -1, %for.cond.preheader ]
  call void @llvm.dbg.value(metadata i64 %i.09, metadata !35, metadata !DIExpression()), !dbg !73
  call void @llvm.dbg.value(metadata i32 %c.08, metadata !34, metadata !DIExpression()), !dbg !37
  %arrayidx = getelementptr inbounds i8, ptr %data, i64 %i.09, !dbg !87
  %2 = load i8, ptr %arrayidx, align 1, !dbg !87, !tbaa !88
  %c.0.tr = trunc i32 %c.08 to i8, !dbg !89
  %xor.narrow = xor i8 %2, %c.0.tr, !dbg !89
  %idxprom = zext i8 %xor.narrow to i64, !dbg !90
  %arrayidx1 = getelementptr inbounds [256 x i32], ptr %table, i64 0, i64 %idxprom, !dbg !90
  %3 = load i32, ptr %arrayidx1, align 4, !dbg !90, !tbaa !63
  %shr = lshr i32 %c.08, 8, !dbg !91
  %xor2 = xor i32 %3, %shr, !dbg !92
  call void @llvm.dbg.value(metadata i32 %xor2, metadata !34, metadata !DIExpression()), !dbg !37
  %inc = add nuw nsw i64 %i.09, 1, !dbg !93
  call void @llvm.dbg.value(metadata i64 %inc, metadata !35, metadata !DIExpression()), !dbg !73
  %exitcond.not = icmp eq i64 %inc, %n, !dbg !74
  br i1 %exitcond.not, label %for.cond.cleanup.loopexit, label %for.body, !dbg !76, !llvm.loop !94
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare void @llvm.dbg.declare(metadata, metadata, metadata) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare void @llvm.dbg.value(metadata, metadata, metadata) #3

attributes #0 = { nofree nosync nounwind memory(argmem: read) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6, !7}
!llvm.ident = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "Debian clang version 16.0.6 (15~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "crc32.c", directory: ".", checksumkind: CSK_MD5, checksum: "c1526221594af3ee84384d692ae2574c")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 8, !"PIC Level", i32 2}
!6 = !{i32 7, !"PIE Level", i32 2}
!7 = !{i32 7, !"uwtable", i32 2}
!8 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
!9 = distinct !DISubprogram(name: "crc32", scope: !1, file: !1, line: 12, type: !10, scopeLine: 12, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !27)
!10 = !DISubroutineType(types: !11)
!11 = !{!12, !17, !23}
!12 = !DIDerivedType(tag: DW_TAG_typedef, name: "uint32_t", file: !13, line: 26, baseType: !14)
!13 = !DIFile(filename: "/usr/include/x86_64-linux-gnu/bits/stdint-uintn.h", directory: "", checksumkind: CSK_MD5, checksum: "2bf2ae53c58c01b1a1b9383b5195125c")
!14 = !DIDerivedType(tag: DW_TAG_typedef, name: "__uint32_t", file: !15, line: 42, baseType: !16)
!15 = !DIFile(filename: "/usr/include/x86_64-linux-gnu/bits/types.h", directory: "", checksumkind: CSK_MD5, checksum: "d108b5f93a74c50510d7d9bc0ab36df9")
!16 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!17 = !DIDerivedType(tag: DW_TAG_restrict_type, baseType: !18)
!18 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !19, size: 64)
!19 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !20)
!20 = !DIDerivedType(tag: DW_TAG_typedef, name: "uint8_t", file: !13, line: 24, baseType: !21)
!21 = !DIDerivedType(tag: DW_TAG_typedef, name: "__uint8_t", file: !15, line: 38, baseType: !22)
!22 = !DIBasicType(name: "unsigned char", size: 8, encoding: DW_ATE_unsigned_char)
!23 = !DIDerivedType(tag: DW_TAG_typedef, name: "int64_t", file: !24, line: 27, baseType: !25)
!24 = !DIFile(filename: "/usr/include/x86_64-linux-gnu/bits/stdint-intn.h", directory: "", checksumkind: CSK_MD5, checksum: "55bcbdc3159515ebd91d351a70d505f4")
!25 = !DIDerivedType(tag: DW_TAG_typedef, name: "__int64_t", file: !15, line: 44, baseType: !26)
!26 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!27 = !{!28, !29, !30, !34, !35}
!28 = !DILocalVariable(name: "data", arg: 1, scope: !9, file: !1, line: 12, type: !17)
!29 = !DILocalVariable(name: "n", arg: 2, scope: !9, file: !1, line: 12, type: !23)
!30 = !DILocalVariable(name: "table", scope: !9, file: !1, line: 13, type: !31)
!31 = !DICompositeType(tag: DW_TAG_array_type, baseType: !12, size: 8192, elements: !32)
!32 = !{!33}
!33 = !DISubrange(count: 256)
!34 = !DILocalVariable(name: "c", scope: !9, file: !1, line: 13, type: !12)
!35 = !DILocalVariable(name: "i", scope: !36, file: !1, line: 15, type: !23)
!36 = distinct !DILexicalBlock(scope: !9, file: !1, line: 15, column: 5)
!37 = !DILocation(line: 0, scope: !9)
!38 = !DILocation(line: 13, column: 5, scope: !9)
!39 = !DILocation(line: 13, column: 14, scope: !9)
!40 = !DILocalVariable(name: "table", arg: 1, scope: !41, file: !1, line: 4, type: !44)
!41 = distinct !DISubprogram(name: "make", scope: !1, file: !1, line: 4, type: !42, scopeLine: 4, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !45)
!42 = !DISubroutineType(types: !43)
!43 = !{null, !44}
!44 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !12, size: 64)
!45 = !{!40, !46, !48, !51}
!46 = !DILocalVariable(name: "i", scope: !47, file: !1, line: 5, type: !12)
!47 = distinct !DILexicalBlock(scope: !41, file: !1, line: 5, column: 5)
!48 = !DILocalVariable(name: "c", scope: !49, file: !1, line: 6, type: !12)
!49 = distinct !DILexicalBlock(scope: !50, file: !1, line: 5, column: 40)
!50 = distinct !DILexicalBlock(scope: !47, file: !1, line: 5, column: 5)
!51 = !DILocalVariable(name: "k", scope: !52, file: !1, line: 7, type: !53)
!52 = distinct !DILexicalBlock(scope: !49, file: !1, line: 7, column: 9)
!53 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!54 = !DILocation(line: 0, scope: !41, inlinedAt: !55)
!55 = distinct !DILocation(line: 14, column: 5, scope: !9)
!56 = !DILocation(line: 0, scope: !47, inlinedAt: !55)
!57 = !DILocation(line: 5, column: 5, scope: !47, inlinedAt: !55)
!58 = !DILocation(line: 0, scope: !52, inlinedAt: !55)
!59 = !DILocation(line: 0, scope: !49, inlinedAt: !55)
!60 = !DILocation(line: 7, column: 9, scope: !52, inlinedAt: !55)
!61 = !DILocation(line: 8, column: 9, scope: !49, inlinedAt: !55)
!62 = !DILocation(line: 8, column: 18, scope: !49, inlinedAt: !55)
!63 = !{!64, !64, i64 0}
!64 = !{!"int", !65, i64 0}
!65 = !{!"omnipotent char", !66, i64 0}
!66 = !{!"Simple C/C++ TBAA"}
!67 = !DILocation(line: 5, column: 36, scope: !50, inlinedAt: !55)
!68 = !DILocation(line: 5, column: 28, scope: !50, inlinedAt: !55)
!69 = distinct !{!69, !57, !70, !71, !72}
!70 = !DILocation(line: 9, column: 5, scope: !47, inlinedAt: !55)
!71 = !{!"llvm.loop.mustprogress"}
!72 = !{!"llvm.loop.unroll.disable"}
!73 = !DILocation(line: 0, scope: !36)
!74 = !DILocation(line: 15, column: 27, scope: !75)
!75 = distinct !DILexicalBlock(scope: !36, file: !1, line: 15, column: 5)
!76 = !DILocation(line: 15, column: 5, scope: !36)
!77 = !DILocation(line: 7, column: 43, scope: !78, inlinedAt: !55)
!78 = distinct !DILexicalBlock(scope: !52, file: !1, line: 7, column: 9)
!79 = !DILocation(line: 7, column: 41, scope: !78, inlinedAt: !55)
!80 = !DILocation(line: 7, column: 33, scope: !78, inlinedAt: !55)
!81 = !DILocation(line: 7, column: 27, scope: !78, inlinedAt: !55)
!82 = distinct !{!82, !60, !83, !71, !72}
!83 = !DILocation(line: 7, column: 79, scope: !52, inlinedAt: !55)
!84 = !DILocation(line: 16, column: 12, scope: !9)
!85 = !DILocation(line: 17, column: 1, scope: !9)
!86 = !DILocation(line: 16, column: 5, scope: !9)
!87 = !DILocation(line: 15, column: 52, scope: !75)
!88 = !{!65, !65, i64 0}
!89 = !DILocation(line: 15, column: 61, scope: !75)
!90 = !DILocation(line: 15, column: 41, scope: !75)
!91 = !DILocation(line: 15, column: 73, scope: !75)
!92 = !DILocation(line: 15, column: 68, scope: !75)
!93 = !DILocation(line: 15, column: 33, scope: !75)
!94 = distinct !{!94, !76, !95, !71, !72}
!95 = !DILocation(line: 15, column: 77, scope: !36)
