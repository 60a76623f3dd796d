/** A server with a little of what the rules look at: engines that have read it are compiled. */
export const PYTHON_SAMPLE = `"""A server."""
import base64
import json
import os
import re
import subprocess

import requests
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("example")
LIMITS = {"days": 7, "hours": [1, 2, 3]}
GREETING = base64.b64decode("aGVsbG8=").decode() + ", " + "-".join(["world", "!"])


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
    read = getattr(json, "loads")
    words = {each: read(each) for each in re.findall("[0-9]+", folder)}
    for _ in range(len(words)):
        try:
            return subprocess.run(["ls", folder], capture_output=True, text=True).stdout
        except OSError as error:
            print(error)
    return ""


if __name__ == "__main__":
    mcp.run()
`;
