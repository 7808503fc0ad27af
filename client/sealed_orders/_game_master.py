"""The actions of a campaign's game master; all of them are written down and shown to everyone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sealed_orders._campaign import CampaignOperations
from sealed_orders._operation import operation
from sealed_orders._plans import Plan
from sealed_orders._reading import as_it_is, integer, nothing, one, several, text
from sealed_orders.records import CampaignInfo, Edit, EditPreview, GameMaster, Json, Message, OrderSet, Report


class GameMasterOperations(CampaignOperations):
    """Operations on a campaign you run. They need the scope ``gm``."""

    @operation
    def change_campaign(
        self,
        *,
        name: str | None = None,
        description: str | None = None,
        listed: bool | None = None,
        options: Mapping[str, Any] | None = None,
        rules: Mapping[str, Any] | None = None,
    ) -> Plan[CampaignInfo]:
        """Change what is given; of a campaign that has started the rules stay as they are."""
        given = {"name": name, "description": description, "listed": listed, "options": options, "rules": rules}
        body = {name: value for name, value in given.items() if value is not None}
        return self._write("PATCH", "", one(CampaignInfo), body)

    @operation
    def invitation_code(self) -> Plan[str]:
        """Make a new invitation code, shown this once; the one before is worthless."""
        return self._write("POST", "/invitation-code", text("code"))

    @operation
    def invite(self, name: str) -> Plan[None]:
        """Ask someone into the campaign, by the name of an account or by a mail address."""
        return self._write("POST", "/invitations", nothing, {"name": name})

    @operation
    def start(self) -> Plan[None]:
        """Begin with those who have joined."""
        return self._write("POST", "/start")

    @operation
    def pause(self, why: str = "") -> Plan[None]:
        """Stop the clock."""
        return self._write("POST", "/pause", nothing, {"why": why})

    @operation
    def resume(self, why: str = "") -> Plan[None]:
        """Go on; the open phase has as much time left as it had."""
        return self._write("POST", "/resume", nothing, {"why": why})

    @operation
    def finish(self, why: str = "") -> Plan[None]:
        """End the campaign by hand, without a winner; the record becomes public after some days."""
        return self._write("POST", "/finish", nothing, {"why": why})

    @operation
    def publish(self) -> Plan[None]:
        """Make the record of a campaign that is over public now; nobody can go back any more."""
        return self._write("POST", "/publish")

    @operation
    def archive(self) -> Plan[None]:
        """Put a finished campaign away."""
        return self._write("POST", "/archive")

    @operation
    def delete(self) -> Plan[str]:
        """Mark the campaign deleted; returns until when (ISO 8601) :meth:`restore` brings it back."""
        return self._write("DELETE", "", text("gone_at"))

    @operation
    def restore(self) -> Plan[None]:
        """Bring a deleted campaign back; one that ran is paused."""
        return self._write("POST", "/restore")

    @operation
    def advance(self, number: int, why: str = "") -> Plan[None]:
        """Resolve the open phase, which is *number*, now, with the orders there are."""
        return self._write("POST", "/gm/advance", nothing, {"number": number, "why": why})

    @operation
    def check_advance(self) -> Plan[Json]:
        """Return the players whose orders are missing, and the orders that would count if the phase ended now."""
        return self._write("POST", "/gm/advance/check", as_it_is)

    @operation
    def set_deadline(self, due: datetime | None, why: str = "") -> Plan[None]:
        """Move the open phase's deadline, or take it away (None). *due* must know its time zone."""
        return self._write("PUT", "/gm/deadline", nothing, {"due": due and due.isoformat(), "why": why})

    @operation
    def choose_readings(self, version: int, why: str = "") -> Plan[Edit]:
        """Have the next turn begin with a later rules version; 0: the campaign stays with its own."""
        return self._write("PUT", "/gm/readings", one(Edit), {"version": version, "why": why})

    @operation
    def edit(self, edits: Sequence[Mapping[str, Any]], why: str = "") -> Plan[Edit]:
        """Change the position: all of it or, with every problem named, nothing. Orders are not final any more."""
        return self._write("POST", "/gm/edits", one(Edit), {"edits": [dict(edit) for edit in edits], "why": why})

    @operation
    def check_edits(self, edits: Sequence[Mapping[str, Any]]) -> Plan[EditPreview]:
        """Say what is wrong with edits, or all that they would change, without making them."""
        return self._write("POST", "/gm/edits/check", one(EditPreview), {"edits": [dict(edit) for edit in edits]})

    @operation
    def replace_player(self, player_id: str, name: str | None, why: str = "") -> Plan[None]:
        """Put the account of that *name* into a seat, or nobody (None): then its stand-in orders."""
        return self._write("PUT", f"/gm/seats/{player_id}", nothing, {"name": name, "why": why})

    @operation
    def enter_orders(
        self, player_id: str, orders: Sequence[Mapping[str, Any]], *, final: bool = False, why: str = ""
    ) -> Plan[OrderSet]:
        """Hand in orders for a player who gives them another way; refused over orders that they handed in."""
        body = {"orders": [dict(order) for order in orders], "final": final, "why": why}
        return self._write("PUT", f"/gm/seats/{player_id}/orders", one(OrderSet), body)

    @operation
    def hand_over(self, name: str, why: str = "", *, role: str = "gm") -> Plan[None]:
        """Ask the account of that *name* to be the game master instead; it may take the campaign over, or decline.

        *role* ``partner``: to run it together; ``successor``: to take it over if all game masters are away.
        """
        return self._write("PUT", "/gm/offer", nothing, {"name": name, "why": why, "role": role})

    @operation
    def game_masters(self) -> Plan[tuple[GameMaster, ...]]:
        """Return who runs the campaign, the first game master first, and who would take over."""
        return self._pages("/gm/all", several(GameMaster), None)

    @operation
    def remove_game_master(self, name: str) -> Plan[None]:
        """Have a partner or successor be none any more; you may step down yourself."""
        return self._write("POST", "/gm/leave", nothing, {"name": name})

    @operation
    def take_offer_back(self) -> Plan[None]:
        """Ask nobody any more to be the game master instead."""
        return self._write("DELETE", "/gm/offer")

    @operation
    def order_sets(self) -> Plan[tuple[OrderSet, ...]]:
        """Return everyone's orders for the open phase, where the campaign lets its game master see them."""
        return self._get("/gm/orders", several(OrderSet))

    @operation
    def roll_back(self, number: int, why: str) -> Plan[int]:
        """Play on from phase *number*, on a new branch, whose number is returned; nothing is deleted."""
        return self._write("POST", "/gm/rollback", integer("branch"), {"number": number, "why": why})

    @operation
    def check_roll_back(self, number: int) -> Plan[Json]:
        """Say which phase would be open again, and which would no longer count."""
        return self._write("POST", "/gm/rollback/check", as_it_is, {"number": number})

    @operation
    def decide(self, hex_: str, result: Mapping[str, Any], why: str = "") -> Plan[Report]:
        """Enter or overrule the result of a battle."""
        return self._write("PUT", f"/gm/battles/{hex_}", one(Report), {"result": dict(result), "why": why})

    @operation
    def announce(self, body: str, *, subject: str = "") -> Plan[Message]:
        """Tell everyone something, spectators and webhooks too."""
        return self._write("POST", "/gm/announcements", one(Message), {"body": body, "subject": subject})
