// Notices of the browser while a page is open. Of all open pages one does it: the one that holds the lock.

async function run() {
  const answer = await fetch("/settings/notices.json", { credentials: "same-origin" });
  if (!answer.ok) return;
  const words = await answer.json();
  const stream = new EventSource("/api/v1/me/stream");
  for (const [kind, sentence] of Object.entries(words)) {
    stream.addEventListener(kind, (event) => {
      let told;
      try { told = JSON.parse(event.data); } catch { return; }
      if (!document.hidden) return; // who looks sees it anyway
      const campaign = told.data?.campaign_id;
      const notice = new Notification("Sealed Orders", { body: sentence, tag: `${kind}/${campaign ?? ""}` });
      notice.onclick = () => { window.focus(); if (campaign) location.href = `/campaigns/${campaign}`; };
    });
  }
  await new Promise((resolve) => addEventListener("pagehide", resolve, { once: true }));
  stream.close();
}

navigator.locks?.request("sealed-orders-notices", run);
