"""Fields that code which is not looked into stores in objects of a library: refused where they are asked for."""

import argparse
import concurrent.futures
import logging
import optparse

import numpy as np
import pytest
from recording.derivatives import check_recorded

from adjoint import gradient
from adjoint.errors import NoRuleError
from adjoint.recording.entry import recorded

# mypy: disable-error-code="no-untyped-def"


def through_options(x):
    return optparse.Values({"rate": x}).rate * x


def through_a_record(x):
    return logging.LogRecord("name", 1, "path", 1, "message", (x,), None).args[0] * x


def through_a_future(x):
    future = concurrent.futures.Future()
    future.set_result(x)
    return future._result * x


@pytest.mark.parametrize("program", [through_options, through_a_record, through_a_future])
def test_what_flows_to_a_stored_field_is_refused(program):
    def tried(x):
        try:
            return program(x)
        except* KeyError:
            pass
        return x

    with pytest.raises(NoRuleError, match="there is no rule for `.*`, which meets a value that is differentiated"):
        gradient(tried, 1.5)


def test_what_is_only_kept_is_fine():
    def program(x):
        record = logging.LogRecord("name", 1, "path", 1, "message", (x,), None)
        return x * len(record.args)

    _, back, _ = recorded(program, 1.5)
    assert back(1.0)[1] == 1.0


def test_an_array_that_is_stored_as_it_is_has_its_place():
    def program(x):
        options = optparse.Values()
        options._update_loose({"weights": x})
        return (options.weights * x).sum() + x.sum()

    x = np.array([1.0, 2.0])
    _, back, _ = recorded(program, x)
    np.testing.assert_array_equal(back(1.0)[1], 2 * x + 1)


def test_an_array_that_is_made_before_has_its_place():
    def program(x):
        return (optparse.Values({"weights": np.array([x, 2.0])}).weights * x).sum()

    _, back, _ = recorded(program, 1.5)
    assert back(1.0)[1] == 5.0


def test_a_field_of_the_program_beside_stored_ones():
    def program(x):
        options = optparse.Values({"rate": 2.0})
        options.mine = x * 3.0
        options.ensure_value("other", 1.0)
        return options.mine * x

    _, back, _ = recorded(program, 1.5)
    assert back(1.0)[1] == 9.0


def test_a_namespace_is_looked_into():
    def program(x):
        options = argparse.Namespace(rate=x, more=[x * 2.0])
        return options.rate * options.more[0]

    check_recorded(program, 1.5)
    assert gradient(program, 1.5) == (6.0,)
