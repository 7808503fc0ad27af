// Whom the phase still waits for, as far as the campaign shows it.

import { api, Offline, Problem } from "../api.js";

export class Waiting {
  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.table = table;
    this.others = [];
  }

  /** Ask who has not declared final, where one has done so oneself. */
  async look() {
    const { about, draft, position } = this.table;
    if (!draft?.final) { this.others = []; return; }
    try {
      const { data } = await api("GET", `/campaigns/${about.campaign}/finality`);
      if (this.table.draft !== draft || !draft.final) return;
      this.others = data.items.filter((each) => !each.final && each.player_id !== position.me).map((each) => position.player(each.player_id));
      this.table.refresh();
    } catch (error) { if (!(error instanceof Offline || error instanceof Problem)) throw error; }
  }
}
