// What the server signed for what this browser sent: the last receipt of each kind and phase, kept here.

const place = (campaign) => `receipts ${campaign}`;

function kept(campaign) {
  try { return JSON.parse(localStorage.getItem(place(campaign))) ?? {}; } catch { return {}; }
}

/** Keep the receipt of an answer, where it has one. */
export function keepReceipt(data) {
  const from = data?.receipt ? data : data?.orders?.receipt ? data.orders : null;
  if (!from?.campaign_id) return;
  const kind = "revision" in from ? "orders" : `salts ${from.now?.given} ${from.next?.commitment}`;
  try {
    localStorage.setItem(place(from.campaign_id), JSON.stringify({ ...kept(from.campaign_id), [`${kind} ${from.branch}.${from.number} ${from.player_id}`]: from.receipt }));
  } catch { /* no room: the mail has it, or the next one */ }
}

/** Return the receipts of a campaign, one a line. */
export const receiptsOf = (campaign) => Object.values(kept(campaign)).join("\n");
