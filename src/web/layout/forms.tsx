/**
 * Forms: reading what was sent, and the fields that every form has.
 *
 * @module
 */
import type { Child } from "hono/jsx";
import { formUnstorable, notAForm } from "../failures.ts";
import { readBody } from "../../http/plumbing/json_body.ts";
import { checkForm } from "../session/visitor.ts";
import type { PageContext, PageRequest } from "./context.ts";

const MAX_BYTES = 256 * 1024;
/** Name of the field with the token against forged requests. */
const TOKEN_FIELD = "csrf";

async function parseForm(c: PageContext): Promise<URLSearchParams> {
  const type = c.req.header("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) throw notAForm();
  const bytes = await readBody(c.req.raw, MAX_BYTES);
  try {
    const form = new URLSearchParams(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    const texts = [...form.entries()].flat();
    if (texts.every((text) => !text.includes("\0") && text.isWellFormed())) return form;
  } catch {
    // Reported below.
  }
  throw formUnstorable();
}

/**
 * The fields of a form that this service gave to this browser.
 *
 * @throws {AppError} `forbidden` when it may have been forged.
 */
export async function readForm(
  { c, visitor, services }: PageRequest,
): Promise<URLSearchParams> {
  const form = await parseForm(c);
  const { publicUrl } = services.app;
  checkForm(c, visitor, { token: form.get(TOKEN_FIELD), publicUrl });
  return form;
}

/** The value of a field, trimmed. */
export function fieldOf(form: URLSearchParams, name: string): string {
  return (form.get(name) ?? "").trim();
}

/** A form that posts to `action`, a path of this listener. */
export function Form(
  props: {
    request: PageRequest;
    action: string;
    class?: string;
    /** Further attributes, such as those that scripts look for. */
    attributes?: Record<string, string>;
    children?: Child;
  },
) {
  const { request, action } = props;
  return (
    <form
      method="post"
      action={request.links.path(action)}
      class={props.class}
      {...props.attributes ?? {}}
    >
      <input type="hidden" name={TOKEN_FIELD} value={request.visitor.formToken()} />
      {props.children}
    </form>
  );
}

export function ButtonForm(
  { request, action, label, about, kind = "secondary", fields = {} }: {
    request: PageRequest;
    action: string;
    label: string;
    /** What the button is about, for those who do not see where it stands. */
    about?: string;
    kind?: "primary" | "secondary" | "danger";
    fields?: Record<string, string>;
  },
) {
  return (
    <Form request={request} action={action} class="button-form">
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button type="submit" class={kind === "primary" ? undefined : kind}>
        {label}
        {about === undefined ? null : <span class="visually-hidden">{` ${about}`}</span>}
      </button>
    </Form>
  );
}

export interface FieldView {
  name: string;
  label: string;
  value?: string;
  hint?: string;
  fault?: string | undefined;
  required?: boolean;
  /** What stands behind the label, where the form alone does not say it. */
  mark?: "required";
  /** Attributes of the control. */
  attributes?: Record<string, string | number>;
}

/** Ids of what describes a field. */
export function describedBy({ name, hint, fault }: FieldView): string | undefined {
  const ids = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean);
  return ids.length === 0 ? undefined : ids.join(" ");
}

/** Label, control, hint and fault, tied together. */
export function Field({ view, children }: { view: FieldView; children: Child }) {
  const { name, label, hint, fault, required } = view;
  const mark = view.mark ?? (required === false ? "optional" : undefined);
  return (
    <div class="field">
      <label for={name}>
        {label}
        {mark === undefined ? null : <span class="optional">&nbsp;({mark})</span>}
      </label>
      {children}
      {hint ? <p class="hint" id={`${name}-hint`}>{hint}</p> : null}
      {fault ? <p class="fault" id={`${name}-fault`}>{fault}</p> : null}
    </div>
  );
}

export function TextField({ view }: { view: FieldView & { type?: string } }) {
  const { name, value, type = "text", required = true, fault, attributes } = view;
  return (
    <Field view={view}>
      <input
        id={name}
        name={name}
        type={type}
        value={value ?? ""}
        required={required}
        aria-describedby={describedBy(view)}
        aria-invalid={fault ? "true" : undefined}
        {...attributes ?? {}}
      />
    </Field>
  );
}

export function SelectField(
  { view, options }: { view: FieldView; options: readonly (readonly [string, string])[] },
) {
  const { name, value, fault } = view;
  return (
    <Field view={view}>
      <select
        id={name}
        name={name}
        aria-describedby={describedBy(view)}
        aria-invalid={fault ? "true" : undefined}
      >
        {options.map(([id, label]) => (
          <option value={id} selected={id === (value ?? "")}>{label}</option>
        ))}
      </select>
    </Field>
  );
}
