/**
 * What makes a fresh analysis process fast: each analyser has run once, so that the engines are
 * loaded and compiled. A process that nobody prepared needs more than a second for that.
 *
 * @module
 */
import type { AnalyserName } from "../../../workers/analysis_protocol.ts";
import { attempt, type Watch } from "./attempt.ts";
import type { HostProcess } from "./process.ts";

/** The analysers that every scan of a Python server runs, in stage order. */
const USED: readonly AnalyserName[] = ["quality", "discovery", "secrets", "audit"];

/** Files a round, and rounds, after which what scans spend their time in has been compiled. */
const FILES = 10;
const ROUNDS = 2;

/** A server with a little of what the rules look at. Other languages load their own engines. */
const SERVER = `"""A server."""
import os
import subprocess

import requests
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("example")
LIMITS = {"days": 7, "hours": [1, 2, 3]}


class Store:
    """Keeps answers."""

    def __init__(self, path: str = "answers") -> None:
        self.path = path

    def read(self, name: str) -> str:
        with open(os.path.join(self.path, name)) as file:
            return file.read()


@mcp.tool()
def forecast(city: str, days: int = 2) -> dict:
    """The forecast of a city."""
    answer = requests.get(f"https://api.example.com/{city}/{days}", timeout=10)
    found = [day["t"] for day in answer.json() if day["t"] > 0]
    if not found and days < LIMITS["days"]:
        return {"city": city, "days": [], "note": "nothing for " + city.strip().lower()}
    return {"city": city, "days": found, "key": os.environ.get("KEY")}


@mcp.tool()
def listing(folder: str) -> str:
    """What is in a folder."""
    for _ in range(3):
        try:
            return subprocess.run(["ls", folder], capture_output=True, text=True).stdout
        except OSError as error:
            print(error)
    return ""


if __name__ == "__main__":
    mcp.run()
`;

/** Prepares a fresh process; false when it did not do its work and is to be ended. */
export async function warmUp(host: HostProcess, watch: Watch): Promise<boolean> {
  const content = new TextEncoder().encode(SERVER);
  for (let round = 0; round < ROUNDS; round++) {
    // Each round has names of its own: a project that is known is not parsed again.
    const files = Array.from({ length: FILES }, (_, i) => ({
      path: `server${round}_${i}.py`,
      size: content.length,
    }));
    for (const [i, analyser] of USED.entries()) {
      const outcome = await attempt(
        host,
        {
          type: "run",
          id: round * USED.length + i,
          analyser,
          lang: "python",
          // That no such file is there leaves open which may run: all are looked at.
          entrypoint: "server.py",
          options: {},
          files,
        },
        files.map(() => content),
        watch,
      );
      if (outcome.kind !== "done") return false;
    }
  }
  return true;
}
