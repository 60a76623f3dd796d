// Starts the component that sends requests of the API's reference.

/** A line of text as Python and JavaScript write it. */
const quoted = (value) => JSON.stringify(String(value));

/** What a request sends, as the component knows it. */
function partsOf(request) {
  const headers = [...(request.get("headers")?.entries() ?? [])];
  const body = request.get("body");
  return {
    url: request.get("url"),
    method: (request.get("method") ?? "GET").toUpperCase(),
    headers,
    body: typeof body === "string" ? body : body === undefined ? null : JSON.stringify(body),
  };
}

function typescript(request) {
  const { url, method, headers, body } = partsOf(request);
  const lines = headers.map(([name, value]) => `    ${quoted(name)}: ${quoted(value)},`);
  return [
    `const response = await fetch(${quoted(url)}, {`,
    `  method: ${quoted(method)},`,
    ...(lines.length === 0 ? [] : ["  headers: {", ...lines, "  },"]),
    ...(body === null ? [] : [`  body: ${quoted(body)},`]),
    "});",
    "console.log(response.status, await response.text());",
  ].join("\n");
}

function python(request) {
  const { url, method, headers, body } = partsOf(request);
  const lines = headers.map(([name, value]) => `        ${quoted(name)}: ${quoted(value)},`);
  return [
    "import requests",
    "",
    "response = requests.request(",
    `    ${quoted(method)},`,
    `    ${quoted(url)},`,
    ...(lines.length === 0 ? [] : ["    headers={", ...lines, "    },"]),
    ...(body === null ? [] : [`    data=${quoted(body)},`]),
    ")",
    "print(response.status_code, response.text)",
  ].join("\n");
}

/** Operations whose path, name or summary has each word of `phrase`. */
function opsFilter(groups, phrase) {
  const words = phrase.toLowerCase().split(/\s+/).filter((word) => word !== "");
  return groups.map((group) =>
    group.set(
      "operations",
      group.get("operations").filter((one) => {
        const operation = one.get("operation");
        const text = [
          one.get("path"),
          one.get("method"),
          operation.get("operationId"),
          operation.get("summary"),
        ].join(" ").toLowerCase();
        return words.every((word) => text.includes(word));
      }),
    )
  ).filter((group) => group.get("operations").size > 0);
}

/** What the component leaves without a label, or out of reach of the keyboard. */
function mend(root) {
  root.querySelector("select#servers:not([aria-label])")?.setAttribute("aria-label", "Server");
  const fields = "select:not([aria-label]), textarea:not([aria-label])";
  for (const field of root.querySelectorAll(fields)) {
    if (field.labels.length === 0) field.setAttribute("aria-label", "Value");
  }
  const search = root.querySelector(".filter input:not([aria-label])");
  search?.setAttribute("aria-label", "Search operations");
  search?.setAttribute("placeholder", "Search operations");
  for (const block of root.querySelectorAll("pre:not([tabindex])")) block.tabIndex = 0;
}

/** Paths are links within a button, which neither keyboards nor screen readers can tell apart. */
const plainPaths = (_, { React }) => (props) =>
  React.createElement("span", { className: "nostyle" }, props.text);

const root = document.getElementById("try-api");
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
follow();
dark.addEventListener("change", follow);

globalThis.SwaggerUIBundle({
  url: root.dataset.document,
  domNode: root,
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  filter: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
  requestSnippetsEnabled: true,
  requestSnippets: {
    languages: ["curl_bash", "typescript_fetch", "python_requests"],
    generators: {
      curl_bash: { title: "curl", syntax: "bash" },
      typescript_fetch: { title: "TypeScript", syntax: "javascript" },
      python_requests: { title: "Python", syntax: "python" },
    },
  },
  plugins: [() => ({
    wrapComponents: { DeepLink: plainPaths },
    fn: {
      opsFilter,
      requestSnippetGenerator_typescript_fetch: typescript,
      requestSnippetGenerator_python_requests: python,
    },
  })],
  // A token goes to this registry only, and cookies go along with nothing.
  requestInterceptor(request) {
    if (new URL(request.url, location.href).origin !== location.origin) {
      throw new Error("Requests go to this registry only");
    }
    return { ...request, credentials: "omit" };
  },
});

let isWaiting = false;
new MutationObserver(() => {
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(() => {
    isWaiting = false;
    mend(root);
  });
}).observe(root, { childList: true, subtree: true });
