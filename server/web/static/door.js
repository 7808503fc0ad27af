// A new account gets the browser's time zone: all times are shown in it.

const field = document.querySelector('input[name="time_zone"]');
if (field) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";

for (const button of document.querySelectorAll("[data-shows]")) {
  const password = document.getElementById(button.dataset.shows);
  button.addEventListener("click", () => {
    const shown = password.type === "password";
    password.type = shown ? "text" : "password";
    button.setAttribute("aria-pressed", String(shown));
  });
}

// A link that ends in #now follows itself: it was made on this machine for the person who sits at it. Programs that only look
// at links run no script, so it is not used up by them.
const follows = document.querySelector('form[action="/link"]');
if (follows && location.hash === "#now") follows.requestSubmit();
