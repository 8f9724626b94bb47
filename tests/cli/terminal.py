"""Runs a command on a terminal of so many columns, and prints what the terminal would show."""

import fcntl
import os
import pty
import struct
import sys
import termios

columns, command = int(sys.argv[1]), sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    os.execvp(command[0], command)
while True:
    try:
        shown = os.read(terminal, 65536)
    except OSError:  # the other end is closed: how Linux ends a terminal
        break
    if not shown:
        break
    sys.stdout.buffer.write(shown)
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
