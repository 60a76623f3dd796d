/**
 * The published JSON schemas of SARIF and CycloneDX, each from a package that carries it.
 *
 * @module
 */
import AjvDraft04 from "ajv-draft-04";
import { Ajv, type ErrorObject } from "ajv";
import addFormats from "ajv-formats";

const PACKAGES = new URL("../../node_modules/", import.meta.url);
const CYCLONEDX = "@cyclonedx/cyclonedx-library/res/schema/";

async function read(path: string): Promise<Record<string, unknown>> {
  return JSON.parse(await Deno.readTextFile(new URL(path, PACKAGES)));
}

/** Whether `text` is an IRI reference (RFC 3987) as far as the platform's parser tells. */
function isIriReference(text: string): boolean {
  return !/[\s<>"{}|\\^`]/.test(text) && URL.canParse(text, "http://localhost/");
}

function faultsOf(errors: ErrorObject[] | null | undefined): string[] {
  return (errors ?? []).map(({ instancePath, message, params }) =>
    `${instancePath} ${message} ${JSON.stringify(params)}`
  );
}

async function compileSarif() {
  const ajv = new AjvDraft04.default({ allErrors: true, strict: false, unicodeRegExp: false });
  addFormats.default(ajv as never);
  return ajv.compile(await read("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"));
}

async function compileCyclonedx() {
  // A pattern of the schema is none with the flag u.
  const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false });
  addFormats.default(ajv);
  ajv.addFormat("iri-reference", isIriReference);
  ajv.addFormat("idn-email", /^[^@\s]+@[^@\s]+$/);
  for (const name of ["spdx", "jsf-0.82"]) {
    const path = `${name}.SNAPSHOT.schema.json`;
    ajv.addSchema(await read(CYCLONEDX + path), `http://cyclonedx.org/schema/${path}`);
  }
  return ajv.compile(await read(`${CYCLONEDX}bom-1.6.SNAPSHOT.schema.json`));
}

let sarif: ReturnType<typeof compileSarif> | undefined;
let cyclonedx: ReturnType<typeof compileCyclonedx> | undefined;

/** What of a SARIF log does not follow the schema of SARIF 2.1.0; empty when all does. */
export async function sarifFaults(log: unknown): Promise<string[]> {
  const validate = await (sarif ??= compileSarif());
  validate(JSON.parse(JSON.stringify(log)));
  return faultsOf(validate.errors);
}

/** What of a bill of materials does not follow the schema of CycloneDX 1.6; empty when all does. */
export async function cyclonedxFaults(bom: unknown): Promise<string[]> {
  const validate = await (cyclonedx ??= compileCyclonedx());
  validate(JSON.parse(JSON.stringify(bom)));
  return faultsOf(validate.errors);
}
