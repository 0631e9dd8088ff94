// Small questions to the reader.

const part = (id) => document.getElementById(id);

/** Ask for a text. Promises the answer, or null. */
export function ask({ title, label, value = "", about = "", known = [], isSecret = false }) {
  const dialog = part("ask");
  const input = part("ask-text");
  part("ask-title").textContent = title;
  part("ask-label").textContent = label;
  part("ask-about").textContent = about;
  part("ask-known").replaceChildren(...known.map((one) => new Option(one.meaning ?? "", one.label)));
  input.type = isSecret ? "password" : "text";
  input.value = value;
  const before = document.activeElement;
  dialog.returnValue = "";
  dialog.showModal();
  input.focus();
  input.select();
  return new Promise((answer) => {
    dialog.addEventListener("close", () => {
      answer(dialog.returnValue === "ok" ? input.value.trim() : null);
      // The tree may have been drawn again meanwhile.
      if (before?.isConnected) before.focus();
      else if (before?.matches(".spot")) document.querySelector('.spot[tabindex="0"]')?.focus();
    }, { once: true });
  });
}

/** Connect the buttons of the dialogs. */
export function startDialogs() {
  part("ask-cancel").addEventListener("click", () => part("ask").close("cancel"));
  part("show-keys").addEventListener("click", () => part("keys").showModal());
  document.addEventListener("keydown", (event) => {
    const isWriting = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (event.key === "?" && !isWriting && !document.querySelector("dialog[open]")) {
      part("keys").showModal();
      event.preventDefault();
    }
  });
}
