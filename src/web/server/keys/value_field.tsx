/**
 * The field for a variable's value.
 *
 * @module
 */
import type { Variable } from "../../../keys/variables.ts";
import { SelectField, TextField } from "../../layout/forms.tsx";

/** Name of the field for the value of a variable. */
export function valueField(variable: string): string {
  return `value-${variable}`;
}

/** The values that a form has for `variables`. They are not trimmed: they are what they are. */
export function valuesIn(
  form: URLSearchParams,
  variables: readonly Pick<Variable, "name">[],
): Record<string, string> {
  const pairs = variables.map(({ name }) => [
    name,
    (form.get(valueField(name)) ?? "").replaceAll("\r\n", "\n"),
  ]);
  return Object.fromEntries(pairs.filter(([, value]) => value !== ""));
}

/**
 * A choice, or a text that is not shown where it is a secret.
 *
 * @param isKept Whether the visitor's sessions get a value without it.
 */
export function ValueField(
  { variable, isKept = false }: { variable: Variable; isKept?: boolean },
) {
  const { name, choices, secret, description } = variable;
  const kept = isKept ? "Kept for your sessions: leave it empty to use that" : null;
  const hint = [description, kept].filter((text) => text !== null).join(". ");
  const view = {
    name: valueField(name),
    label: name,
    // A form may leave out what is kept already.
    required: false,
    ...(variable.required && !isKept ? { mark: "required" as const } : {}),
    ...(hint === "" ? {} : { hint }),
  };
  if (choices.length > 0) {
    const options = choices.map((choice) => [choice, choice] as const);
    return <SelectField view={view} options={[["", "(unchanged)"], ...options]} />;
  }
  const attributes = { autocomplete: "off", spellcheck: "false", autocapitalize: "off" };
  return <TextField view={{ ...view, attributes, type: secret ? "password" : "text" }} />;
}
