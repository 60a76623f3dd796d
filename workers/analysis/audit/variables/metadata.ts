/**
 * Variables that metadata of a server declares: `server.json` of the MCP registry, `manifest.json` of
 * desktop bundles, `smithery.yaml`. What cannot be read declares nothing.
 *
 * @module
 */
import { parseYaml } from "../../manifests/yaml.ts";
import type { DescribedVariable } from "./files.ts";

const TEXT_MAX = 500;

type Members = Record<string, unknown>;

function object(value: unknown): Members {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Members
    : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, 100) : [];
}

function text(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "string" || value.trim() === "") return undefined;
  return value.trim().slice(0, TEXT_MAX);
}

function json(content: string): Members {
  try {
    return object(JSON.parse(content));
  } catch {
    return {};
  }
}

function lineOf(content: string, name: string): number {
  const at = content.indexOf(name);
  return at < 0 ? 1 : content.slice(0, at).split("\n").length;
}

function variable(
  content: string,
  file: string,
  said: { [Key in keyof DescribedVariable]?: DescribedVariable[Key] | undefined } & {
    name: string;
  },
): DescribedVariable {
  const members = Object.entries(said).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(members) as { name: string },
    file,
    line: lineOf(content, said.name),
    declared: true,
  };
}

function flag(...values: unknown[]): boolean | undefined {
  return values.find((value) => typeof value === "boolean") as boolean | undefined;
}

/** Those of `server.json`, in the spellings that it had. */
export function registryVariables(content: string, file: string): DescribedVariable[] {
  return list(json(content)["packages"]).flatMap((one) => {
    const { environmentVariables, environment_variables } = object(one);
    return list(environmentVariables ?? environment_variables).flatMap((each) => {
      const said = object(each);
      if (typeof said["name"] !== "string") return [];
      const choices = list(said["choices"]).flatMap((choice) => text(choice) ?? []);
      return variable(content, file, {
        name: said["name"],
        description: text(said["description"]),
        required: flag(said["isRequired"], said["is_required"]),
        secret: flag(said["isSecret"], said["is_secret"]),
        default: text(said["default"]),
        choices: choices.length === 0 ? undefined : choices,
      });
    });
  });
}

/** Those of a desktop bundle: its program's environment is filled from what the user configures. */
export function bundleVariables(content: string, file: string): DescribedVariable[] {
  const manifest = json(content);
  const config = object(manifest["user_config"]);
  const env = object(object(object(manifest["server"])["mcp_config"])["env"]);
  return Object.entries(env).slice(0, 100).flatMap(([name, value]) => {
    const key = /^\$\{user_config\.(\w+)\}$/.exec(String(value))?.[1];
    if (key === undefined) return [];
    const said = object(config[key]);
    return variable(content, file, {
      name,
      description: text(said["description"]) ?? text(said["title"]),
      required: flag(said["required"]),
      secret: flag(said["sensitive"]),
      default: text(said["default"]),
    });
  });
}

/** Those of `smithery.yaml`: its command's function names them beside members of a schema. */
export function smitheryVariables(content: string, file: string): DescribedVariable[] {
  let start: Members;
  try {
    start = object(object(parseYaml(content))["startCommand"]);
  } catch {
    return [];
  }
  const schema = object(start["configSchema"]);
  const properties = object(schema["properties"]);
  const required = list(schema["required"]);
  const command = text(start["commandFunction"]) === undefined
    ? ""
    : String(start["commandFunction"]);
  const pairs = command.slice(0, 20_000).matchAll(
    /\b([A-Z][A-Z0-9_]{1,100})["']?\s*:\s*config\.(\w{1,100})/g,
  );
  return [...pairs].slice(0, 100).map(([, name, key]) => {
    const said = object(properties[key!]);
    const choices = list(said["enum"]).flatMap((choice) => text(choice) ?? []);
    return variable(content, file, {
      name: name!,
      description: text(said["description"]),
      required: required.includes(key) ? true : undefined,
      default: text(said["default"]),
      choices: choices.length === 0 ? undefined : choices,
    });
  });
}
