"""Names of kernels as people write them, beside those that nvcc makes and what c++filt says."""

from __future__ import annotations

import pytest

from machines.cxx_names import called, demangled, named, several

FILE = "_ZN38_INTERNAL_a489b932_8_names_cu_f757e9cd40_GLOBAL__N__a489b932_8_names_cu_f757e9cd"
NAMES = {
    "plain": "plain",
    "_Z4axpyPf": "axpy",
    "_Z5axpy2Pf": "axpy2",
    "_ZL4maskf": "mask",
    "_ZN2ns5inner5scaleIfLi16EEEvPT_m": "ns::inner::scale<float, 16>",
    "_ZN2ns5inner5scaleIdLin3EEEvPT_m": "ns::inner::scale<double, -3>",
    "_ZN2ns5inner4takeIPKiEEvT_Pi": "ns::inner::take<int const*>",
    "_ZN2ns5inner4takeIhEEvT_Pi": "ns::inner::take<unsigned char>",
    "_ZN2ns5inner4flagILb1EEEvPi": "ns::inner::flag<true>",
    "_ZN2ns5inner4manyILm7EEEvPi": "ns::inner::many<7ul>",
    "_ZN2ns5inner4takeI3BoxIfEEEvT_Pi": "ns::inner::take<Box<float>>",
    f"{FILE}7counterE": "(anonymous namespace)::counter",
    f"{FILE.replace('_ZN38_INTERNAL_a489b932_8_names_cu_f757e9cd', '_ZN')}6hiddenEPf": (
        "(anonymous namespace)::hidden"
    ),
    # Template arguments that refer back to what the name had before, or are packs, are not read.
    "_ZN2ns5inner4takeINS0_1PEEEvT_Pi": "ns::inner::take<…>",
    "_ZN2ns5inner4packIJLi1ELi2EEEEvPi": "ns::inner::pack<…>",
}


@pytest.mark.parametrize("name", NAMES)
def test_demangled(name: str):
    assert demangled(name) == NAMES[name]


@pytest.mark.parametrize(
    "name", ("_Z", "_Z9", "_Z99x", "_ZN", "_ZN1aI", "_ZN1aILi", "_Z1aIf", "_Zé")
)
def test_what_is_no_mangled_name_is_left(name: str):
    assert demangled(name)
    assert named(name, [name, "other"]) == [name]


@pytest.mark.parametrize(
    "text, found",
    [
        ("axpy", ["_Z4axpyPf"]),  # the one of that name, though another begins so
        ("axp", ["_Z4axpyPf", "_Z5axpy2Pf"]),
        ("axpy(float*)", ["_Z4axpyPf"]),
        ("_Z4ax", ["_Z4axpyPf"]),
        ("scale<float, 16>", ["_ZN2ns5inner5scaleIfLi16EEEvPT_m"]),
        ("ns::inner::scale<float,16>", ["_ZN2ns5inner5scaleIfLi16EEEvPT_m"]),
        ("void ns::inner::scale<double, -3>(double*, unsigned long)",
         ["_ZN2ns5inner5scaleIdLin3EEEvPT_m"]),
        ("ns::inner::scale", ["_ZN2ns5inner5scaleIfLi16EEEvPT_m",
                              "_ZN2ns5inner5scaleIdLin3EEEvPT_m"]),
        ("hidden", [name for name in NAMES if "hidden" in name]),
        ("(anonymous namespace)::hidden", [name for name in NAMES if "hidden" in name]),
        ("flag<false>", []),
        ("inner", []),
        ("", []),
    ],
)  # fmt: skip
def test_what_a_text_may_mean(text: str, found: list[str]):
    assert named(text, NAMES) == found


def test_variables_are_called_by_whole_names():
    assert called("counter", NAMES) == [f"{FILE}7counterE"]
    assert called("count", NAMES) == []


def test_several_are_told_with_both_names():
    found = several("axp", ["_Z4axpyPf", "plain"])
    assert found == "'axp' may be _Z4axpyPf (axpy), plain"
