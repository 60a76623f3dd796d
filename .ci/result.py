"""What the tests' JUnit files say.

`result.py failed FIRST LOG` lists the files that failed, one a line, where they are few enough to be
a matter of chance, and where the log of the run speaks of no other failure (a file that cannot be
loaded is in none of these files). `result.py FIRST [AGAIN]` names what failed at first and passed when its file ran
once more, by itself, and ends with `N passed, N failed`; its exit code is 1 when any failed.
"""

import re
import sys
import xml.etree.ElementTree as tree

# More than this many broken files are no chance.
MOST_AGAIN = 3


def cases(path):
    """Of each test and step, by file and name: whether it passed, failed or was skipped."""
    try:
        root = tree.parse(path).getroot()
    except (OSError, tree.ParseError):
        sys.exit(f"{path}: the tests left no result")
    found = {}
    for case in root.iter("testcase"):
        if case.find("skipped") is not None:
            outcome = "skipped"
        elif case.find("failure") is not None or case.find("error") is not None:
            outcome = "failed"
        else:
            outcome = "passed"
        found.setdefault((case.get("classname"), case.get("name")), []).append(outcome)
    return found


def failed_files(found, log):
    """The files of failed tests, or none when the log counts other failures too."""
    failed = [key for key, outcomes in found.items() if "failed" in outcomes]
    tests = [(file, name) for file, name in failed if " > " not in name]
    summary = re.findall(r"\| (\d+) failed", re.sub(r"\x1b\[[\d;]*m", "", log))
    return sorted({file for file, _ in failed}) if summary[-1:] == [str(len(tests))] else []


def result(first, again):
    passed = failed = 0
    for (file, name), outcomes in first.items():
        for outcome in outcomes:
            if outcome == "passed":
                passed += 1
            elif outcome == "failed" and set(again.get((file, name), ["failed"])) == {"passed"}:
                print(f"failed, and passed when run again, which is a fault to mend: {file} {name}")
                passed += 1
            else:
                print(f"{outcome}{', which counts as failed here' * (outcome == 'skipped')}: {file} {name}")
                failed += 1
    # What went wrong only the second time went wrong all the same.
    for (file, name), outcomes in again.items():
        if "failed" in outcomes and set(first.get((file, name), [])) == {"passed"}:
            print(f"failed when run again: {file} {name}")
            passed -= 1
            failed += 1
    print(f"{passed} passed, {failed} failed", flush=True)
    sys.exit(1 if failed or not first else 0)


if sys.argv[1] == "failed":
    with open(sys.argv[3], encoding="utf-8", errors="replace") as log:
        files = failed_files(cases(sys.argv[2]), log.read())
    if len(files) <= MOST_AGAIN:
        print("\n".join(files))
else:
    result(cases(sys.argv[1]), cases(sys.argv[2]) if len(sys.argv) > 2 else {})
