// Browser notices: they need the reader's consent, which only a click may ask for.

const box = document.getElementById("browser-notices");
if (box && "Notification" in window) {
  const [button, says] = [box.querySelector("button"), box.querySelector("span")];
  const show = () => {
    box.hidden = false;
    button.hidden = Notification.permission !== "default";
    says.textContent = { granted: box.dataset.on, denied: box.dataset.denied }[Notification.permission] ?? "";
  };
  button.addEventListener("click", async () => {
    await Notification.requestPermission();
    show();
  });
  show();
}
