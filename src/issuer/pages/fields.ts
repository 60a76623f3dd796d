/**
 * Form fields whose labels, hints and faults belong together.
 *
 * @module
 */
import { type Fragment, type Html, html } from "./html.ts";

/** A labelled text input of a form, with its hint and error. */
export interface Field {
  name: string;
  label: string;
  type: "email" | "password" | "text";
  autocomplete: string;
  value?: string;
  hint?: string;
  /** What is wrong with the value. */
  fault?: string | null;
  /** Id of the element that says what is wrong, where several fields share it. */
  faultAt?: string | null;
}

/** The field with its label; hint and fault are named as its description. */
export function field(options: Field): Html {
  const { name, label, type, autocomplete, value, hint, fault, faultAt } = options;
  const described = [hint && `${name}-hint`, fault ? `${name}-fault` : faultAt]
    .filter(Boolean).join(" ");
  return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required${
    value === undefined ? null : html`
      value="${value}"
    `
  }${
    described === "" ? null : html`
      aria-describedby="${described}"
    `
  }${
    fault || faultAt
      ? html`
        aria-invalid="true"
      `
      : null
  }${
    type === "text"
      ? html`
        autocapitalize="off" spellcheck="false"
      `
      : null
  }>
${hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : null}
${fault ? html`<p class="fault" id="${name}-fault">${fault}</p>` : null}
</div>`;
}

/** A form that posts to `action` with the token against forged requests. */
export function form(action: string, token: string, content: Fragment): Html {
  return html`<form method="post" action="${action}" novalidate>
<input type="hidden" name="csrf" value="${token}">
${content}
</form>`;
}

/** Id of the element that {@link alert} makes. */
export const ALERT_ID = "failure";

/** A failure that concerns the whole page, announced when it loads. */
export function alert(text: string | null): Html | null {
  return text === null ? null : html`<p class="alert" role="alert" id="${ALERT_ID}">${text}</p>`;
}

/** Something good to know. */
export function notice(text: string | null): Html | null {
  return text === null ? null : html`<p class="notice" role="status">${text}</p>`;
}
