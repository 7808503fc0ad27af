// Buttons that copy what stands in a field: <button data-copy="#field" data-copied="Copied.">.

import { toast } from "./toast.js";

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    const field = document.querySelector(button.dataset.copy);
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      toast(button.dataset.copied);
    } catch { /* the text is selected: it can be copied by hand */ }
  });
}
