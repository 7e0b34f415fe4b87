"""Turns of tests: a run of the whole suite takes some of each function with many, and others on the next day.

A test's turn is a hash of its name, so that it stays when tests are added. After as many days as a family has turns all
of its tests have run. Of what a family alone tests one test runs besides, the next in turn: each day, or for each rule
once in 24 days (`Family.every`). `ADJOINT_DAY=2026-01-31` takes the turns of that day; `ADJOINT_THOROUGH=1` leaves
nothing out.
"""

from __future__ import annotations

import datetime
import functools
import hashlib
import os
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from rules.sampling import Sample

from adjoint.rules.registry import find_rules, key_of

Parameters = Mapping[str, Any]


@dataclass(frozen=True)
class Family:
    """In how many turns the tests of a function run, and for each what there is one in `every` so many days, by the
    parameters."""

    turns: int
    each: str
    subject: Callable[[Parameters], Hashable]
    every: int = 1


def rule_of(parameters: Parameters) -> Hashable:
    """The function that a sample is about, and which of its rules."""
    s: Sample = parameters["s"]
    rules = find_rules(s.f) if s.f is s.of else None
    method = rules.select(tuple(map(type, s.args))) if rules is not None and rules.differentiable else None
    return key_of(s.of), method and method.name


def kinds_of(parameters: Parameters) -> Hashable:
    """What a program of the corpus shows."""
    return parameters["program"].families


def method_asked(parameters: Parameters) -> Hashable:
    """The special method that an operation asks for."""
    return parameters["name"]


def function_itself(parameters: Parameters) -> Hashable:
    """Nothing but the function of the tests."""
    return None


MANY = 8
"""From how many tests on a function has turns (`IN_SIX`), and the rest of a file (`IN_THREE`), unless more is said."""
VERY_MANY = 24
"""From how many tests on what has six turns has twelve."""
DAILY = ("tests/test_layers.py", "tests/test_docs.py", "tests/test_golden.py")
"""Files whose tests look at each file or page of the project, and never wait."""
IN_THREE, IN_SIX = (Family(turns, "the family", function_itself) for turns in (3, 6))
RARELY = Family(12, "the family in twelve days", function_itself, every=12)
IN_TWELVE = Family(12, "the family", function_itself)
MONTHLY = Family(30, "the family in thirty days", function_itself, every=30)
IN_MANY = Family(120, "each special method in sixty days", method_asked, every=60)
FILES = (
    # Other processes, threads, debuggers and editors; stored programs.
    "tests/compiled/test_files.py",
    "tests/compiled/test_side_by_side.py",
    "tests/compiled/test_storage.py",
    "tests/tools/test_notebook.py",
    "tests/tools/test_other_processes.py",
    "tests/tools/test_ways_to_run.py",
    # What hostile names and texts would do.
    "tests/security/test_data_is_no_code.py",
    # All that can be reached is looked through.
    "tests/regressions/test_generators_kept.py",
    "tests/regressions/test_weak_references.py",
    # Long programs, high orders, large systems, whole models.
    "tests/compiled/test_recursion.py",
    "tests/nn/optimizers/test_optimizers.py",
    "tests/nn/test_shared_derivatives.py",
    "tests/regressions/test_higher_order.py",
    "tests/regressions/test_keywords_of_rules.py",
    "tests/regressions/test_objects_that_hold_arrays.py",
    "tests/regressions/test_types_of_second_derivatives.py",
    "tests/runtime/test_first_calls.py",
    "tests/runtime/test_length.py",
    "tests/runtime/test_limits.py",
    "tests/runtime/test_objects_along.py",
    "tests/runtime/test_towers.py",
    "tests/test_arrays_of_one.py",
    "tests/test_implicit.py",
    "tests/test_jacobians.py",
    "tests/test_keywords.py",
    "tests/test_objectives.py",
    "tests/test_objectives_of_models.py",
    "tests/test_own_rules.py",
    # Errors that the checks of the frontend must find.
    "tests/frontend/test_planted.py",
)
"""Files that take long: their tests take turns together, each in six days."""
FAMILIES = {
    **dict.fromkeys(FILES, IN_SIX),
    "tests/rules/test_samples.py::test_rule": Family(120, "each rule in twenty-four days", rule_of, every=24),
    # Programs that are lowered, reversed, verified and recorded every day.
    "tests/test_programs.py::test_program": Family(6, "each kind of program", kinds_of),
    "tests/test_programs.py::test_second_derivative_of_program": Family(6, "each kind of program", kinds_of),
    # High orders of what is checked to a lower one every day.
    "tests/rules/numpy/test_products.py::test_products_with_constants_to_third_order": RARELY,
    "tests/rules/scipy/test_interpolate.py::test_the_modes_nest_in_every_order_and_nothing_is_recorded": RARELY,
    "tests/runtime/test_iterators.py::test_third_order": RARELY,
    "tests/runtime/test_nested.py::test_orders_of_loops_with_branches": IN_SIX,
    "tests/test_forward_rules.py::test_third_derivative": MONTHLY,
    "tests/test_forward.py::test_any_nesting_of_a_solution": IN_SIX,
    "tests/test_forward.py::test_any_nesting_to_order_four": IN_SIX,
    "tests/test_forward.py::test_ramps_of_no_width_have_second_derivatives": IN_SIX,
    "tests/test_forward.py::test_three_derivatives_of_what_is_neither_linear_nor_elementwise": IN_SIX,
    "tests/test_orders.py::test_third_derivative": IN_TWELVE,
    "tests/transforms/test_growing_lists.py::test_third_derivatives": IN_SIX,
    "tests/transforms/test_sums_of_lists.py::test_third_derivatives": IN_SIX,
    "tests/transforms/test_tables.py::test_second_derivatives": IN_SIX,
    "tests/transforms/test_items.py::test_second_derivatives": IN_SIX,
    "tests/transforms/test_inactive_stores.py::test_second_derivatives": IN_SIX,
    "tests/transforms/test_resized_lists.py::test_programs": IN_SIX,
    "tests/transforms/test_changed_dicts.py::test_programs": IN_SIX,
    "tests/transforms/test_deques.py::test_programs": IN_SIX,
    "tests/transforms/test_renewed.py::test_second_derivatives": IN_SIX,
    "tests/transforms/test_rows.py::test_second_derivatives": IN_SIX,
    "tests/transforms/test_objects.py::test_forward_mode_and_second_order": IN_SIX,
    "tests/transforms/test_lists_of_records.py::test_made_in_the_program": IN_SIX,
    "tests/transforms/test_lists_of_records.py::test_given_to_the_program": IN_SIX,
    "tests/transforms/test_lists_of_records.py::test_classes_and_lengths_in_turns": IN_SIX,
    "tests/rules/test_zeros.py::test_third_derivatives_at_kinks": RARELY,
    "tests/runtime/test_again.py::test_orders_of_what_is_shared": IN_SIX,
    "tests/runtime/test_iterators.py::test_every_order": IN_SIX,
    "tests/runtime/test_objects_along.py::test_first_and_second_derivatives": IN_TWELVE,
    "tests/runtime/test_trees.py::test_any_tree": IN_SIX,
    "tests/transforms/test_turning.py::test_programs": IN_SIX,
    "tests/runtime/test_trees.py::test_isinstance_is_as_python_says": IN_SIX,
    "tests/runtime/test_gradients_of_records.py::test_first_and_second_derivative": RARELY,
    "tests/runtime/test_gradients_of_records.py::test_gradients_of_a_gradient_of_a_network": IN_SIX,
    # Programs that people write, each by itself: their kinds are in other tests every day.
    "tests/ordinary/test_table.py::test_program": IN_SIX,
    "tests/compiled/test_samples.py::test_as_without_compiling": IN_SIX,
    "tests/rules/numpy/test_dtypes_told.py::test_calls_that_are_told_a_dtype": IN_TWELVE,
    "tests/runtime/test_again.py::test_orders_of_what_is_met_at_run_time": IN_SIX,
    "tests/runtime/test_nested.py::test_each_gradient_is_by_its_own_variable": IN_SIX,
    "tests/runtime/test_rebound.py::test_second_derivatives": IN_TWELVE,
    "tests/runtime/test_rebound_arrays.py::test_stores_before_arrays_that_are_made_anew": IN_SIX,
    "tests/runtime/test_mixed.py::test_what_the_inner_gradient_is_not_taken_by": IN_SIX,
    "tests/runtime/test_readers.py::test_second_derivatives": IN_SIX,
    "tests/runtime/test_starred.py::test_spread_arguments": IN_SIX,
    "tests/recording/test_records.py::test_gradients_of_programs": IN_SIX,
    "tests/rules/numpy/test_linalg.py::test_the_third_derivative_of_a_singular_determinant_is_refused": RARELY,
    "tests/runtime/test_nested.py::test_functions_found_at_run_time": RARELY,
    "tests/runtime/test_towers.py::test_the_other_way_round": RARELY,
    "tests/rules/scipy/test_integrate.py::test_derivatives_of_tangents_of_a_solution": RARELY,
    "tests/rules/scipy/test_tails.py::test_curvature_far_out_of_the_normal_distribution": RARELY,
    "tests/rules/scipy/test_special.py::test_the_kernel_of_dirichlet_near_its_peaks": RARELY,
    "tests/rules/scipy/test_special.py::test_what_is_not_known_in_a_sequence_has_second_derivatives_beside_it": RARELY,
    "tests/rules/scipy/test_stats.py::test_vectors_move_with_their_location": IN_SIX,
    "tests/test_forward.py::test_what_is_computed_once_moves_in_the_first_run_as_well": IN_TWELVE,
    # What takes long because there is much of it, beside shorter ones.
    "tests/runtime/test_length.py::test_long": IN_SIX,
    "tests/runtime/test_length.py::test_work_is_about_linear_in_the_length": IN_SIX,
    "tests/runtime/test_plans.py::test_codes_whose_addresses_are_used_again": RARELY,
    "tests/compiled/test_budget.py::test_too_long_a_program_runs_plainly_at_once": RARELY,
    # Combinations, of which each part is met every day.
    "tests/runtime/test_inline_caches.py::test_functions_of_two_arguments_give_what_is_asked": IN_TWELVE,
    "tests/diagnostics/test_same_verdict.py::test_the_verdict_is_the_same_whatever_was_asked_before": IN_SIX,
    "tests/fuzz/test_planted.py::test_it_is_caught_by_random_programs": IN_SIX,
    "tests/compiled/test_arguments.py::test_many_directions": IN_SIX,
    "tests/compiled/test_library.py::test_by_numba": RARELY,
    "tests/rules/test_narrow_integers.py::test_as_with_floats": IN_TWELVE,
    "tests/effects/test_operators_by_name.py::test_operators_by_their_names": IN_SIX,
    "tests/compiled/test_arguments.py::test_value_and_gradient": IN_SIX,
    "tests/runtime/test_cotangents_of_iterators.py::test_any_sequence_of_cotangents_is_taken": IN_SIX,
    "tests/runtime/test_cotangents_of_iterators.py::test_another_length_is_refused": IN_SIX,
    "tests/recording/test_scalars.py::test_every_operator": IN_SIX,
    "tests/runtime/test_guards_of_dtypes.py::test_each_kind_before_and_after_each_of_numbers": MONTHLY,
    "tests/runtime/test_guards_of_dtypes.py::test_each_kind_in_containers": IN_TWELVE,
    # Each by many programs, of which the kinds are in other tests every day.
    "tests/asked/test_asked.py::test_right_or_refused": IN_MANY,
    # One statement by many programs or kinds of arguments: one of them runs every day, and its parts in other tests.
    "tests/rules/numpy/test_dtypes_told.py::test_whole_numbers_in_all_modes": IN_SIX,
    "tests/rules/scipy/test_constants.py::test_matrices_of_any_format_that_nothing_flows_into": IN_SIX,
    "tests/tangents/test_project.py::test_numbers_that_are_added_to_arrays": IN_SIX,
    "tests/compiled/test_joints.py::test_arrays": IN_SIX,
    "tests/compiled/test_joints.py::test_numbers": IN_SIX,
    # High orders of functions whose first two derivatives are checked every day.
    "tests/runtime/test_limits.py::test_higher_orders_of_arrays": IN_SIX,
    "tests/test_jacobians.py::test_derivatives_of_jacobians": IN_SIX,
    "tests/test_jacobians.py::test_derivatives_of_products": RARELY,
    "tests/test_jacobians.py::test_gradient_of_a_hessian": RARELY,
    # Random programs, of which other ones run whenever these are asked for.
    "tests/fuzz/test_fuzz.py::test_random_programs": MONTHLY,
    "tests/fuzz/test_compiled_fuzz.py::test_random_programs": RARELY,
    "tests/fuzz/test_compiled_fuzz.py::test_random_programs_in_parts": RARELY,
    "tests/regressions/test_weak_references.py::test_what_would_be_gone_is_not_said_to_live": IN_TWELVE,
    "tests/regressions/test_generators_kept.py::test_what_would_clean_up_too_late_is_refused": IN_SIX,
    "tests/rules/test_second_by_forward.py::test_second_derivative": IN_TWELVE,
    # By Numba, what runs every day as Python.
    "tests/compiled/test_directions.py::test_by_numba": IN_SIX,
    "tests/compiled/test_stacks.py::test_by_numba": RARELY,
    "tests/compiled/test_eigen.py::test_by_numba": IN_SIX,
    "tests/compiled/test_special.py::test_by_numba": RARELY,
    "tests/compiled/test_arguments.py::test_functions_of_numba": RARELY,
    "tests/compiled/test_objects.py::test_by_numba": IN_SIX,
    "tests/compiled/test_pullbacks.py::test_functions_of_numba": RARELY,
    "tests/compiled/test_joints.py::test_by_numba": IN_SIX,
    "tests/compiled/test_pullbacks.py::test_by_numba": IN_SIX,
    "tests/compiled/test_recursion.py::test_by_numba": RARELY,
    "tests/compiled/test_samples.py::test_by_numba": IN_SIX,
    "tests/compiled/test_unbound.py::test_by_numba": IN_SIX,
    "tests/compiled/test_side_by_side.py::test_by_numba": RARELY,
    # Errors that the generator of programs must find.
    "tests/fuzz/test_compiled_fuzz.py::test_planted_errors_are_found": RARELY,
    "tests/fuzz/test_compiled_fuzz.py::test_planted_errors_in_parts_are_found": RARELY,
    "tests/fuzz/test_compiled_fuzz.py::test_entries_that_are_not_there_are_found": RARELY,
    "tests/fuzz/test_compiled_fuzz.py::test_lost_second_derivatives_are_found": RARELY,
    "tests/fuzz/test_planted_strange.py::test_it_is_caught": RARELY,
}
"""What has other turns than any function of many tests: what takes long."""

DAY, THOROUGHLY = "ADJOINT_DAY", "ADJOINT_THOROUGH"


def is_thorough() -> bool:
    """Whether all tests are asked for, in all their parts."""
    return os.environ.get(THOROUGHLY, "") not in ("", "0")


def are_taken(config: pytest.Config) -> bool:
    """Whether tests wait for their turn: not those that are named, nor any if all are asked for."""
    whole = config.args_source is config.ArgsSource.TESTPATHS and not config.option.keyword
    return whole and not is_thorough()


def day() -> datetime.date:
    """The day whose turns are taken: today in UTC, if none is asked for."""
    asked = os.environ.get(DAY, "")
    return datetime.date.fromisoformat(asked) if asked else datetime.datetime.now(datetime.UTC).date()


def days_until(nodeid: str, turns: int, day: datetime.date) -> int:
    """How many days it is until a test's turn.

    >>> [days_until("test_rule[sin]", 3, datetime.date(2026, 1, n)) for n in (1, 2, 3, 4, 5)]
    [2, 1, 0, 2, 1]
    """
    return (_turn(nodeid) - day.toordinal()) % turns


@functools.cache
def _turn(nodeid: str) -> int:
    return int.from_bytes(hashlib.blake2b(nodeid.encode(), digest_size=8).digest(), "big")


def in_turn(subjects: Mapping[str, Hashable], turns: int, day: datetime.date, every: int = 1) -> set[str]:
    """The tests of a family that run on a day, given what each is about: those whose turn it is, and one for each
    subject that has its day, by the name of its first test."""
    waiting = {nodeid: days_until(nodeid, turns, day) for nodeid in subjects}
    first: dict[Hashable, str] = {}
    for nodeid in sorted(subjects, key=lambda nodeid: (waiting[nodeid], nodeid)):
        first.setdefault(subjects[nodeid], nodeid)
    names: dict[Hashable, str] = {}
    for nodeid in sorted(subjects):
        names.setdefault(subjects[nodeid], nodeid)
    due = {nodeid for subject, nodeid in first.items() if days_until(names[subject], every, day) == 0}
    return {nodeid for nodeid, days in waiting.items() if days == 0} | due


def function_of(nodeid: str) -> str:
    """The function of a test, with its file."""
    return nodeid.partition("[")[0]


def family_of(nodeid: str) -> str:
    """The function of a test, or its file where its tests take turns together."""
    function = function_of(nodeid)
    file = function.partition("::")[0]
    return file if file in FAMILIES and function not in FAMILIES else function


def subjects_of(parameters: Mapping[str, Parameters]) -> dict[str, dict[str, Hashable]]:
    """What each test is about of each family that has turns, given the names and parameters of all."""
    tests: dict[str, list[str]] = {}
    for nodeid in parameters:
        tests.setdefault(family_of(nodeid), []).append(nodeid)
    rest: dict[str, list[str]] = {}
    for family, nodeids in tests.items():
        joined = family not in FAMILIES and len(nodeids) < MANY
        rest.setdefault(family.partition("::")[0] if joined else family, []).extend(nodeids)
    return {
        family: {nodeid: family_named(family, len(nodeids)).subject(parameters[nodeid]) for nodeid in nodeids}
        for family, nodeids in rest.items()
        if family in FAMILIES or len(nodeids) >= MANY and not family.startswith(DAILY)
    }


def family_named(name: str, n: int) -> Family:
    """The turns of a function, or of the rest of a file, that has so many tests."""
    family = FAMILIES.get(name, IN_SIX if "::" in name else IN_THREE)
    return IN_TWELVE if family is IN_SIX and n >= VERY_MANY else family


def waiting(subjects: Mapping[str, Mapping[str, Hashable]], day: datetime.date) -> set[str]:
    """The tests that do not run on a day, given what each is about."""
    left_out: set[str] = set()
    for name, of in subjects.items():
        family = family_named(name, len(of))
        left_out |= of.keys() - in_turn(of, family.turns, day, family.every)
    return left_out
