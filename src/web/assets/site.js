// What the pages do beyond links and forms. Everything works without this, only less quickly.

/** Buttons that copy the text of the element they name. */
function enableCopying(root) {
  for (const button of root.querySelectorAll("button[data-copy]")) {
    if (!navigator.clipboard) continue;
    const source = document.getElementById(button.dataset.copy);
    const shown = button.firstChild;
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(source.textContent);
      shown.textContent = "Copied";
      announce("Copied");
      setTimeout(() => {
        shown.textContent = "Copy";
      }, 2000);
    });
  }
}

/** Tells those who do not see the page. */
function announce(text) {
  let status = document.getElementById("announcements");
  if (status === null) {
    status = document.createElement("p");
    status.id = "announcements";
    status.className = "visually-hidden";
    status.setAttribute("role", "status");
    document.body.append(status);
  }
  status.textContent = "";
  requestAnimationFrame(() => {
    status.textContent = text;
  });
}

/** Earlier calls that a page keeps. */
const KEPT_CALLS = 20;

/** The form of a tool: shows logs, progress and the result as they come, and can be cancelled. */
function enableTrying(form) {
  const part = (name) => document.getElementById(`run-${name}`);
  let running = null;

  /** What came of the last call goes to the earlier ones. */
  function keep() {
    const title = document.getElementById("result-title");
    if (title === null) return;
    const call = document.getElementById("call-berth")?.textContent ?? "";
    const entry = document.createElement("details");
    const summary = document.createElement("summary");
    const words = [new Date().toLocaleTimeString(), title.textContent, call.slice(0, 160)];
    summary.textContent = words.join(" · ");
    entry.className = "more";
    entry.append(summary, ...part("result").childNodes);
    entry.querySelector(".copied-call")?.remove();
    for (const element of entry.querySelectorAll("[id], [aria-labelledby]")) {
      element.removeAttribute("id");
      element.removeAttribute("aria-labelledby");
    }
    part("history").prepend(entry);
    while (part("history").childElementCount > KEPT_CALLS) part("history").lastChild.remove();
    part("history-box").hidden = false;
  }

  function begin() {
    keep();
    part("status").hidden = false;
    part("text").textContent = "Running…";
    part("progress").removeAttribute("value");
    part("result").replaceChildren();
    part("logs").replaceChildren();
    part("logs-box").hidden = true;
    part("raw").textContent = "";
    part("raw-box").hidden = false;
  }

  function show(message) {
    if (message.part === "logs") {
      part("logs-box").hidden = false;
      part("logs").insertAdjacentHTML("beforeend", message.html);
    } else if (message.part === "progress") {
      const { value, total, text } = message;
      if (total) {
        part("progress").max = total;
        part("progress").value = value;
      }
      part("text").textContent = text ?? (total ? `Running: ${value} of ${total}` : "Running…");
    } else if (message.part === "raw") {
      part("raw").append(`${message.text}\n\n`);
    } else if (message.part === "result") {
      part("result").innerHTML = message.html;
      enableCopying(part("result"));
      document.getElementById("result-title")?.focus();
    }
  }

  async function read(response) {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += value;
      const lines = text.split("\n");
      text = lines.pop();
      for (const line of lines) if (line !== "") show(JSON.parse(line));
    }
  }

  for (const select of form.querySelectorAll("select[data-kind]")) {
    const button = select.parentElement.querySelector("button");
    button.hidden = true;
    select.addEventListener("change", () => form.requestSubmit(button));
  }

  form.addEventListener("submit", async (event) => {
    // Another form is the server's to make: with an item more or less, or of another kind.
    if (["add", "drop", "kind"].includes(event.submitter?.name)) return;
    event.preventDefault();
    running?.abort();
    const mine = new AbortController();
    running = mine;
    const response = await fetch(form.action, {
      method: "POST",
      body: new URLSearchParams(new FormData(form)),
      headers: { accept: "application/x-ndjson, text/html" },
      signal: mine.signal,
    }).catch(() => null);
    if (response?.headers.get("content-type")?.startsWith("application/x-ndjson")) {
      begin();
      await read(response).catch(() => {
        if (!mine.signal.aborted) announce("The connection was lost");
      });
    } else if (response !== null && !mine.signal.aborted) {
      // Something is wrong with the values: the page says what.
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      document.querySelector("main").replaceWith(page.querySelector("main"));
      enable(document.querySelector("main"));
      document.querySelector("[aria-invalid], .alert")?.scrollIntoView({ block: "center" });
      document.querySelector("[aria-invalid]")?.focus();
    }
    if (running === mine) part("status").hidden = true;
  });

  part("cancel").addEventListener("click", () => {
    running?.abort();
    running = null;
    part("status").hidden = true;
    part("result").replaceChildren();
    const note = document.createElement("p");
    note.textContent = "Cancelled.";
    part("result").append(note);
    announce("Cancelled");
  });
}

function enable(root) {
  enableCopying(root);
  for (const form of root.querySelectorAll("form[data-try]")) enableTrying(form);
}

enable(document);
document.addEventListener("htmx:afterSwap", (event) => enable(event.target));
