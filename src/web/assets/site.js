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

enableCopying(document);
document.addEventListener("htmx:afterSwap", (event) => enableCopying(event.target));
