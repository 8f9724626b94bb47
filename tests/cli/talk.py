"""Runs a command on a terminal and answers it: pairs of what it asks and what is typed, as JSON."""

import json
import os
import pty
import sys

answers, command = json.loads(sys.argv[1]), sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(command[0], command)
unanswered = b""
while True:
    try:
        shown = os.read(terminal, 65536)
    except OSError:  # the other end is closed: how Linux ends a terminal
        break
    if not shown:
        break
    sys.stdout.buffer.write(shown)
    unanswered += shown
    if answers and answers[0][0].encode() in unanswered:
        unanswered = b""
        os.write(terminal, answers.pop(0)[1].encode())
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
