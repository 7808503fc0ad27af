// Buttons that copy what stands in a field, <button data-copy="#field" data-copied="Copied.">, or share it: data-share.

import { toast } from "./toast.js";

for (const button of document.querySelectorAll("[data-share]")) {
  button.hidden = !navigator.share;
  button.addEventListener("click", () => {
    navigator.share({ title: button.dataset.title, url: document.querySelector(button.dataset.share).value }).catch(() => {}); // they thought better of it
  });
}

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
