"""What may follow a mnemonic without an effect on results, in the order in which GNU as takes it.

br.sptk.few.clr   br.cond.sptk            ld8.acq.nta    ld8
fmin.s2           fmin.s0                 ld8.nta.acq    as it is: no instruction
"""

from __future__ import annotations

import re

_WHETHER = r"\.(sptk|spnt|dptk|dpnt)"
_AHEAD = r"(?:\.(?:few|many))?(?:\.clr)?"
_LOCALITY = r"(?:\.(?:nt1|nt2|nta|d[1-7]))?"
_NEAR = r"(?:\.(?:nt1|nta))?"
"""Where in the caches data is wanted: pairs and semaphores have fewer hints."""

_FORMS = tuple(
    (re.compile(written), plain)
    for written, plain in (
        (rf"br(?:\.cond)?{_WHETHER}{_AHEAD}", r"br.cond.\1"),
        (rf"br{_AHEAD}", "br.cond.sptk"),
        (rf"br\.(call|ret|cloop|ctop|cexit|wtop|wexit){_WHETHER}{_AHEAD}", r"br.\1.\2"),
        (r"brp\.(?:sptk|loop|exit|dptk)(?:\.imp)?", "brp.sptk"),
        (r"mov(?=\.)(?:\.ret)?(?:\.(?:sptk|dptk))?(?:\.imp)?", "mov.sptk"),
        (rf"ld([1248])(?:\.(?:acq|bias))?{_LOCALITY}", r"ld\1"),
        (rf"(ldf[sde8]|ldf\.fill){_LOCALITY}", r"\1"),
        (rf"ld8\.fill{_LOCALITY}", "ld8"),
        (rf"(ldfp[sd8]){_NEAR}", r"\1"),
        (rf"st([1248])(?:\.rel)?{_LOCALITY}", r"st\1"),
        (rf"(stf[sde8]|stf\.spill){_LOCALITY}", r"\1"),
        (rf"st8\.spill{_LOCALITY}", "st8"),
        (rf"lfetch(?:\.fault)?(?:\.excl)?{_LOCALITY}", "lfetch"),
        (rf"(xchg[1248]|cmpxchg[1248]\.(?:acq|rel)|fetchadd[48]\.(?:acq|rel)){_NEAR}", r"\1"),
        (r"(fcmp\.[a-z]+(?:\.unc)?)\.s[0-3]", r"\1"),
        (r"(fa?m(?:in|ax))\.s[1-3]", r"\1.s0"),
        (r"((?!fsetc)f\w+(?:\.\w+)*)\.s[23]", r"\1.s0"),
    )
)
"""Compares, minima and maxima round nothing, so that all status fields are one to them.  Fields 2
and 3 round as 0 does: in ar.fpsr as it is modelled they differ by traps, which are off."""


def without_hints(mnemonic: str) -> str:
    """The mnemonic as rows and pseudo-operations have it; what fits no form stays as it is."""
    for form, plain in _FORMS:
        if match := form.fullmatch(mnemonic):
            return match.expand(plain)
    return mnemonic
