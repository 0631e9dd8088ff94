// Errors, where everybody sees and hears them.

const place = () => document.getElementById("message");

export function showFault(error) {
  if (error?.name === "AbortError") return;
  place().textContent = error.message;
  place().hidden = false;
}

export function forgetFault() {
  place().hidden = true;
  place().textContent = "";
}
