/**
 * A server of 20 files, of the size that servers usually have, and the programs whose work its scan
 * does.
 *
 * @module
 */

const MODULES = 18;

function moduleOf(number: number): string {
  const tools = Array.from({ length: 4 }, (_, i) => `
@mcp.tool()
def forecast_${number}_${i}(city: str, days: int = ${i + 1}) -> dict:
    """The forecast of a city for some days, from station ${number}."""
    answer = requests.get(f"https://api.example.com/{city}/{days}", timeout=10)
    found = [day["t"] for day in answer.json() if day["t"] > ${i}]
    if not found:
        return {"city": city, "days": [], "note": "nothing for " + city.strip().lower()}
    return {"city": city, "days": found}
`);
  return `import requests\nfrom app import mcp\n\n${tools.join("\n")}`;
}

/** Its files by path; the entrypoint is `server.py`. */
export function twentyFiles(): Record<string, string> {
  const names = Array.from({ length: MODULES }, (_, i) => `weather_${i}`);
  return {
    "app.py": `from mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP("bench")\n`,
    ...Object.fromEntries(names.map((name, i) => [`${name}.py`, moduleOf(i)])),
    "server.py": `${
      names.map((name) => `import ${name}`).join("\n")
    }\nfrom app import mcp\n\nmcp.run()\n`,
    "requirements.txt": "requests==2.31.0\npyyaml==6.0\n",
  };
}

/** Writes the files into a new folder. */
export async function twentyFilesFolder(): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "berth-bench-" });
  for (const [path, text] of Object.entries(twentyFiles())) {
    await Deno.writeTextFile(`${folder}/${path}`, text);
  }
  return folder;
}

/**
 * The commands of bandit, detect-secrets and pip-audit for a folder.
 *
 * @param requirements Paths of its requirements files.
 * @param osvUrl Address of the advisory service, without `/v1`.
 */
export function stageCommands(
  requirements: readonly string[],
  osvUrl: string,
): [program: string, args: string[]][] {
  return [
    ["bandit", ["-r", "-q", "-f", "json", "."]],
    ["detect-secrets", ["scan", "--all-files", "."]],
    ["pip-audit", [
      ...["-s", "osv", "--osv-url", `${osvUrl}/v1/query`, "--no-deps", "--disable-pip"],
      ...["--progress-spinner", "off", ...requirements.flatMap((path) => ["-r", path])],
    ]],
  ];
}
