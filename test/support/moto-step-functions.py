# Starts moto's server with its Step Functions interpreter switched on (it is off by default).
# StartExecution copies the machine with all its executions, whose locks cannot be copied: the copy goes without them.
import copy
import os
import sys
import threading

from moto.core.config import default_user_config
from moto.server import main
from moto.stepfunctions import models


def without_executions(machine, memo):
    twin = copy.copy(machine)
    twin.executions = []
    memo[id(machine)] = twin
    return twin


models.StateMachine.__deepcopy__ = without_executions
# Whoever started this holds the other end of stdin: it must not outlive them, however they end.
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
default_user_config["stepfunctions"] = {"execute_state_machine": True}
main(sys.argv[1:])
