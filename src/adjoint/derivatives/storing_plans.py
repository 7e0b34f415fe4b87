"""Entry plans of calls that store, printed: into copies of their arguments (`writing`), or into memory (`sharing`).

What a type tells is decided when the plan is made: which arguments can be the same object, how memory is put back, and
where the cotangents of its items are. Where a call has another form, the plan does nothing, and the general way asks.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

import numpy as np

from ..ir.changes import store
from ..ir.types import BOTTOM, NONE, Array, Dict, Inert, Keyed, List, Located, Record, Scalar, Tuple, Type
from ..rules.registry import RULES
from ..runtime.owners import DEEP, class_data
from ..runtime.spec import Spec
from ..runtime.survey import Entry
from ..runtime.tables import TABLES, WRITING, WRITING_WHOLE, Needs, kind_of
from ..runtime.typeof import typeof
from ..spelling import quoted
from ..tangents import accumulate, get_own, scalar_seed, shadows_here
from ..tangents.fields import WITH_DICT
from ..tangents.sweep import in_sweep
from ..tangents.windows import owner_of
from .choice import REFUSALS, keeps_structure, was_recorded
from .framing import asking, failing, names_of, of_run, running
from .handing import hand_of, handed
from .nested import is_plain
from .plans import Plans, plans_to_add_to
from .results import result_of
from .sharing import handing_over_of, surveyed
from .writing import is_alone, kept, may_be_copied, sees_around

Args = tuple[Any, ...]
Name = Callable[[Any], str]


def storing_plan(f: Any, wanted: Any, args: Args, needs: Needs, result: Callable[..., str] | None = None) -> None:
    """Make the plan of a call that has just been taken by one of these ways, if types tell all that is asked there: of
    its pullback, or of a gradient of which `result` prints what is handed over."""
    if (found := _entry(f, args, needs, result is not None)) is None:
        return
    plans, guard, spec = found
    printed = (_writing if spec.writes else _sharing)(guard.written.copy(), spec, f, args, needs, result)
    if printed is not None:
        plan, lines = printed
        made = plan.define("plan", lines)
        made.hand = hand_of(tuple(map(_held, spec.types[1:]))) if result is None else None
        plans.add(wanted, len(args), made)


def _entry(f: Any, args: Args, needs: Needs, whole: bool) -> tuple[Plans, Any, Spec] | None:
    """The plans that may be added to, and guard and program of a call; None where it is another one."""
    table = TABLES.get(id(f.__code__)) if type(f) is FunctionType else None
    if table is None or f in RULES or was_recorded(f) or len(table.signature.names) != len(args):
        return None
    if not table.writes and table.shares is None or (plans := plans_to_add_to(f)) is None:
        return None
    kind = WRITING_WHOLE if whole else WRITING
    if table.shares is not None:
        kind = kind_of(table.shares)
    for guard, spec in table.entries.get((kind, needs, *map(type, args)), ()):
        if guard(f, *args):
            known = spec.is_for_known and not spec.has_effects and keeps_structure(f, spec)
            return (plans, guard, spec) if known else None
    return None


# ---- on copies


def _writing(plan: Any, spec: Spec, f: Any, args: Args, needs: Needs, result: Callable[..., str] | None) -> Any:
    """Plan and lines of a call that changes its arguments."""
    if not spec.written:
        return None
    whole, name, names = result is not None, plan.name, names_of(spec)
    tables = {"memo": "{}", **({"bars": "{}"} if whole else {}), "stores": "()"}
    program, gives = (spec.program, "y, d") if whole else (spec.rule, "y, back")
    body = [*of_run(plan, spec, program, gives, whole), "        found = state.stores"]
    caught = [*failing(plan, spec), "    except Exception:", "        return None"]
    each = enumerate(zip(names, spec.types[1:], args, strict=True), 1)
    given = [_form(name, a, (i,), t, spec, x) for i, (a, t, x) in each]
    lines = [
        *asking(plan, spec, (), _apart(name, spec, names, args), stores=True),
        *running(plan, spec, body, caught, tables),
        *[f"    g{i} = {form}" for i, form in enumerate(given)],
        f"    {name(store)}(found)",
    ]
    return plan, [*lines, *_ending(name, spec, "back", result)]


def _ending(name: Name, spec: Spec, back: str, result: Callable[..., str] | None) -> list[str]:
    """The lines that give what is asked for."""
    if result is None:
        n, names = range(len(spec.types) - 1), names_of(spec)
        y = result_of(name, spec, f"f, ({''.join([f'{a}, ' for a in names])})", stores=True)
        return [f"    return {y}, {back}, ({', '.join(['f', *[f'g{i}' for i in n]])})"]
    return ["    taken = {}", f"    return y, {result(name, spec.types[1:])}"]


def handing_of(places: Sequence[int], single: bool) -> Callable[..., str]:
    """The printing of what is handed over for the arguments at some places: a `single` one by itself."""

    def result(name: Name, types: Sequence[Type]) -> str:
        given = [handed(name, f"d[{i + 1}]", f"g{i}", _held(types[i])) for i in places]
        return given[0] if single else "(" + "".join([f"{d}, " for d in given]) + ")"

    return result


def _form(name: Name, a: str, place: tuple[int], t: Type, spec: Spec, x: Any) -> str:
    """The expression for a stand-in of an argument, of the form that it has before the call."""
    if place not in spec.all_written or isinstance(t, Array):
        return a
    if (fields := _changed_fields(t, place, spec, x)) is not None:
        return f"{name(_stand_in)}({a}, {tuple([field for field, cls in fields.items() if cls is not np.ndarray])})"
    return f"{a}.copy()" if isinstance(t, (List, Dict)) else f"{name(kept)}({a}, {place}, {name(spec.all_written)})"


def _stand_in(x: Any, changed: tuple[str, ...]) -> Any:
    """An object of the same class with the same fields, and copies of those that are changed."""
    made = object.__new__(type(x))
    fields = get_own(made, "__dict__")
    fields.update(get_own(x, "__dict__"))
    for field in changed:
        fields[field] = fields[field].copy()
    return made


def _changed_fields(t: Type, place: tuple[int], spec: Spec, x: Any) -> dict[str, type] | None:
    """The fields of an object in whose arrays, lists and dicts a program stores, with the classes of these; None where
    it stores in something else that the object holds, or something else is met in its class."""
    if not isinstance(t, Record) or place not in spec.all_written or t.cls not in WITH_DICT or class_data(t.cls):
        return None
    inner = [other[1:] for other in spec.all_written if other[:1] == place and other != place]
    held = get_own(x, "__dict__")
    fields = {path[0]: type(held.get(path[0])) for path in inner}
    known = all([len(path) == 1 for path in inner]) and {np.ndarray, list, dict}.issuperset(fields.values())
    return fields if known else None


def _apart(name: Name, spec: Spec, names: Sequence[str], args: Args) -> list[str]:
    """The conditions under which nothing that a program changes can be reached in another way (`is_apart`)."""
    general = f"{name(is_alone)}({name(spec)}, f, ({', '.join([*names, ''])}))"
    conditions: list[str] = []
    met: list[tuple[str, Any, bool]] = []
    for i, (a, t, x) in enumerate(zip(names, spec.types[1:], args, strict=True), 1):
        kind, fields = _kind(t), _changed_fields(t, (i,), spec, x)
        if sees_around(spec) or kind is None and fields is None:
            return [general]
        if fields is not None:
            met.append((a, object, True))
            conditions.append(f"{name(_are_flat)}({a}, {name(frozenset(fields))})")
            for field, cls in fields.items():
                met.append((at := f"{a}.__dict__[{quoted(field)}]", cls, True))
                conditions.append(f"type({at}) is {name(cls)}")
        elif kind is not _VALUE:
            met.append((a, kind, (i,) in spec.all_written))
    conditions += [f"{name(may_be_copied)}({at})" for at, kind, changed in met if changed and kind is np.ndarray]
    for (a, kind, changed), (b, of, also) in itertools.combinations(met, 2):
        if kind is of and (changed or also):
            conditions.append(f"{a} is not {b}")
            if kind is np.ndarray:
                conditions.append(f"{name(_lie_apart)}({a}, {b}, {changed and also})")
    return [f"({' and '.join(conditions)} or {general})"] if conditions else []


def _are_flat(x: Any, but: frozenset[str]) -> bool:
    """Tell whether fields hold nothing that leads to something else, `but` for some."""
    fields = get_own(x, "__dict__")
    return DEEP.issuperset([type(value) for field, value in fields.items() if field not in but])


def _lie_apart(x: Any, y: Any, both: bool) -> bool:
    """Tell whether two arrays lie in other memory, and if `both` are changed, whether they have two owners."""
    if x.flags.owndata and y.flags.owndata:
        return True
    return not np.may_share_memory(x, y) and not (both and owner_of(x) is owner_of(y))


# ---- in memory


def _sharing(plan: Any, spec: Spec, f: Any, args: Args, needs: Needs, result: Callable[..., str] | None) -> Any:
    """Plan and lines of a call that changes memory which others may have, if all that it can reach are its arguments:
    numbers, arrays, and lists and dicts of numbers."""
    name, kinds = plan.name, [_kind(t) for t in spec.types[1:]]
    memory: Any = TABLES[id(f.__code__)].shares
    if memory.tables or memory.latest or spec.may_be_refused:
        return None
    if memory.roots or memory.scopes or None in kinds or f.__code__.co_freevars:
        return _surveyed(plan, spec, memory, f, args, needs, result)
    if (conditions := _alone(name, spec, memory, kinds, args)) is None:
        return _surveyed(plan, spec, memory, f, args, needs, result)
    saved, put_back, shadows = _in_memory(name, names_of(spec), kinds, memory.located)
    body = of_run(plan, spec, spec.rule, "y, back")
    lines = [
        *asking(plan, spec, (), conditions, stores=True),
        *saved,
        *running(
            plan,
            spec,
            [*body, *([] if result is None else [f"        {name(_check_real)}(y)"])],
            ["    except Exception:", *put_back, "        return None"],
            {"memo": "{}"},
            "True",
        ),
        "    def hand_over(y_bar):",
        "        d = back(y_bar)",
        f"        s = {name(shadows_here)}()",
        f"        return ({', '.join(['d[0]', *shadows])},)",
    ]
    if result is not None:
        lines.append(f"    d = {name(in_sweep)}(hand_over, {name(scalar_seed)}(y, ''))")
    return plan, [*lines, *_ending(name, spec, "hand_over", result)]


def _surveyed(
    plan: Any, spec: Spec, memory: Any, f: Any, args: Args, needs: Needs, result: Callable[..., str] | None
) -> Any:
    """Plan and lines of a call that can reach something else: what that holds is asked each time."""
    if (survey := surveyed(spec, memory, f, args)) is None:
        return None
    name, given = plan.name, ", ".join([*names_of(spec), ""])
    asked = {cls for guard in (plan, spec.entry.holds.written) for cls in guard.classes}
    plain: dict[type, bool] = {}
    with contextlib.suppress(*REFUSALS):
        plain = {type(x): is_plain(x, type(x)) for x, _ in survey.objects if type(x) in asked}
    body = [*of_run(plan, spec, spec.rule, "y, back"), *([] if result is None else [f"        {name(_check_real)}(y)"])]
    caught = ["    except Exception:", "        survey.restore()", "        return None"]
    lines = [
        *asking(plan, spec, stores=True),
        f"    survey = {name(surveyed)}({name(spec)}, {name(memory)}, f, ({given}))",
        "    if survey is None:",
        "        return None",
        f"    hand, given = {name(handing_over_of())}(f, ({given}), {name(needs)}, {name(plain)})",
        *running(plan, spec, body, caught, {"memo": "{}"}, "True"),
        "    if survey.shares_unchanged:",
        "        survey.restore()",
        "        return None",
        "    def hand_over(y_bar):",
        "        return hand(back(y_bar))",
    ]
    if result is None:
        return plan, [*lines, "    return y, hand_over, given"]
    own = ", ".join([f"g{i}" for i in range(len(args))])
    lines += [f"    _, {own}, = given", f"    d = {name(in_sweep)}(hand_over, {name(scalar_seed)}(y, ''))"]
    return plan, [*lines, *_ending(name, spec, "hand_over", result)]


def _alone(name: Name, spec: Spec, memory: Any, kinds: Sequence[Any], args: Args) -> list[str] | None:
    """The conditions under which a `survey` would find the arguments alone, each of them once, and what the program
    takes for granted; None where that is to be asked each time."""
    if spec.entry is None:
        spec.entry = Entry(spec)
    of_memory = [f"{name(memory)}.{names}" for names in ("roots", "scopes", "tables", "latest")]
    conditions = ["not (f.__defaults__ or f.__kwdefaults__ or f.__dict__)", f"not ({' or '.join(of_memory)})"]
    if spec.entry.holds.written.conditions:
        conditions.append(f"{name(spec.entry.holds)}()")
    for a, x, kind in zip(names_of(spec), args, kinds, strict=True):
        if kind is np.ndarray:
            if x.base is not None or not x.flags.forc:
                return None  # calls like this one are to be had
            conditions.append(f"{a}.base is None and {a}.flags.forc")
        elif kind is dict and x and memory.located:
            key = next(iter(x))
            if type(key) not in (str, int) or typeof(key) not in memory.key_types:
                return None
            conditions.append(f"{{*map(type, {a})}} == {{{type(key).__name__}}}")
    pairs = itertools.combinations(zip(names_of(spec), kinds, strict=True), 2)
    return conditions + [f"{a} is not {b}" for (a, of), (b, kind) in pairs if of is kind is not _VALUE]


def _in_memory(
    name: Name, names: Sequence[str], kinds: Sequence[Any], located: bool
) -> tuple[list[str], list[str], list[str]]:
    """The lines that keep what arguments hold, those that put it back, and the cotangents of the arguments."""
    saved: list[str] = []
    put_back: list[str] = []
    shadows = []
    for i, (a, kind) in enumerate(zip(names, kinds, strict=True)):
        saved.append(f"    g{i} = {a}.copy()" if kind in (list, dict) else f"    g{i} = {a}")
        if kind is np.ndarray:
            shadows.append(f"{name(_of_array)}(s, {a}, d[{i + 1}])")
            if located:
                saved.append(f"    m{i} = {a}.copy('K')")
                put_back += [f"        if {a}.flags.writeable:", f"            {a}[...] = m{i}"]
        elif kind is list:
            shadows.append(f"{name(_of_list)}(s, {a}, d[{i + 1}], len(g{i}))")
            put_back += [f"        {a}[:] = g{i}"] * located
        elif kind is dict:
            shadows.append(f"{name(_of_dict)}(s, {a}, d[{i + 1}], g{i})")
            put_back += [f"        {a}.clear()", f"        {a}.update(g{i})"] * located
        else:
            shadows.append(f"d[{i + 1}]")
    return saved, put_back, shadows


def _check_real(y: Any) -> None:
    """Have a result that has no seed, or one of another form, be refused the general way: all is put back before."""
    if type(y) is not float and type(y) is not np.float64:
        raise TypeError


def _of_array(shadows: Any, x: Any, d: Any) -> Any:
    """The cotangent of an array: `d` if that came by value, else what its shadow holds."""
    if d is not None or (memory := shadows.pop(id(x), None)) is None:
        return d
    return memory.main


def _of_list(shadows: Any, x: Any, d: Any, n: int) -> Any:
    """The same of a list of numbers, by its items of before; what came by value is added."""
    cells = shadows.pop(id(x), None)
    if not cells:
        return d
    bars = [*map(cells.get, range(n))]
    return _sum(d, bars if any([bar is not None for bar in bars]) else None)


def _of_dict(shadows: Any, x: Any, d: Any, keys: Any) -> Any:
    """The same of a dict of numbers, by its keys of before."""
    cells = shadows.pop(id(x), None)
    bars = {key: bar for key in keys if (bar := cells.get(key)) is not None} if cells else None
    return _sum(d, bars or None)


def _sum(d: Any, found: Any) -> Any:
    return found if d is None else d if found is None else accumulate(d, found)


_VALUE = object()
"""Marks what holds nothing else, and has its cotangent by value."""


def _held(t: Type) -> Type:
    return t.of if isinstance(t, Located) else t


def _kind(t: Type) -> Any:
    """The class of an array, or of a list or dict of numbers, and of a tuple of them; `_VALUE` of a number; None of
    anything else."""
    t = _held(t)
    if isinstance(t, Scalar) or t == NONE or isinstance(t, Inert) and t.cls in (str, bytes, range):
        return _VALUE
    if isinstance(t, Array) and t.kind in "biufc":
        return np.ndarray if t.scalar is False else _VALUE if t.dtype == "float64" else None
    if isinstance(t, Tuple):
        return tuple if t.cls is tuple and all([_kind(u) is _VALUE for u in t.items]) else None
    if type(t) is List or type(t) is Dict:
        return (list if type(t) is List else dict) if t.item == BOTTOM or _kind(t.item) is _VALUE else None
    return dict if type(t) is Keyed and all([_kind(u) is _VALUE for _, u in t.entries]) else None
