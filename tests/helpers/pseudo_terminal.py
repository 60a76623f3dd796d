"""Runs a program in a pseudo-terminal, types what it is told to, and prints what the terminal saw.

Reads one JSON object from standard input: argv, env, cwd, rows, columns, and steps, each a text to
wait for and a text to type. Prints JSON: code and screen.
"""

import codecs
import fcntl
import json
import os
import pty
import select
import struct
import sys
import termios
import time

PATIENCE = 300


def main() -> None:
    order = json.load(sys.stdin)
    size = struct.pack("HHHH", order["rows"], order["columns"], 0, 0)
    pid, terminal = pty.fork()
    if pid == 0:
        # Here, as the program may look at it before its parent runs again.
        fcntl.ioctl(0, termios.TIOCSWINSZ, size)
        os.chdir(order["cwd"])
        os.execvpe(order["argv"][0], order["argv"], order["env"])
    # What is read may end in the middle of a character.
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    screen = ""
    seen = 0
    steps = order["steps"]
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        ready, _, _ = select.select([terminal], [], [], 1)
        if ready:
            try:
                data = os.read(terminal, 65536)
            except OSError:
                break
            if not data:
                break
            screen += decoder.decode(data)
        while steps and steps[0][0] in screen[seen:]:
            seen += screen[seen:].index(steps[0][0]) + len(steps[0][0])
            os.write(terminal, steps.pop(0)[1].encode())
    else:
        os.kill(pid, 9)
    _, status = os.waitpid(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    json.dump({"code": code, "screen": screen, "left": steps}, sys.stdout)


main()
