"""The operations of an account: signing in, tokens, bots, finding and creating campaigns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from sealed_orders._following import Follower
from sealed_orders._missing_salts import stir_if_possible
from sealed_orders._operation import iteration, operation
from sealed_orders._plans import Flow, Plan, RetryPolicy, Send, pages, request_and_read
from sealed_orders._reading import as_it_is, nothing, one, several, text
from sealed_orders._turn_watcher import TurnWatcher
from sealed_orders.errors import Conflict, Forbidden, NotFound
from sealed_orders.records import (
    Account,
    CampaignInfo,
    CampaignSummary,
    Event,
    Invitation,
    Json,
    NewToken,
    OpenBot,
    OrderSet,
    Roster,
    RulesetInfo,
    ScenarioInfo,
    Session,
    Template,
    TokenInfo,
)

TokenSource = Callable[[], str]
"""Returns the token that is good now."""
Join = Callable[[CampaignInfo, tuple[str, ...]], str | None]
"""Is asked about an invitation: the campaign, and the ids of its factions. Returns one to play, or None to decline."""
SCOPES = ("read", "orders")
"""What a bot's token needs to play."""


@dataclass(frozen=True, slots=True)
class ClientConfig:
    """How a client behaves towards its server."""

    patience: RetryPolicy
    poll: float
    salt_key: str | None = None
    """The key of your own salts; None: the server keeps them."""
    receipts: list[str] = field(default_factory=list)
    """What the server signed, in the order in which it came."""
    receipts_file: Path | None = None

    def keep(self, receipt: str | None) -> None:
        """Keep a receipt, in the file too if there is one."""
        if receipt is None:
            return
        self.receipts.append(receipt)
        if self.receipts_file is not None:
            with self.receipts_file.open("a", encoding="utf-8") as file:
                file.write(receipt + "\n")


class AccountOperations:
    """Operations of both clients on the server and your account."""

    _config: ClientConfig
    _headers: httpx2.Headers
    """Go with every request."""
    _token: str | None = None
    _token_source: TokenSource | None = None

    @property
    def token(self) -> str | None:
        """What signs you in; after :meth:`sign_in` the session's."""
        return self._token if self._token_source is None else self._token_source().strip()

    @property
    def receipts(self) -> tuple[str, ...]:
        """What the server signed for what this client sent; ``sealed-orders verify --receipts`` compares it."""
        return tuple(self._config.receipts)

    @operation
    def request(
        self, method: str, path: str, *, params: Mapping[str, Any] | None = None, body: Any = None
    ) -> Plan[Json]:
        """Send any request below ``/api/v1`` and return the JSON of its answer (None: no content).

        For endpoints that have no method here. Writes carry an ``Idempotency-Key``, as always.
        """
        return request_and_read(Send(method.upper(), path, params or {}, body), as_it_is, self._config.patience)

    @operation
    def keys(self) -> Plan[Json]:
        """Return the public keys of the server's receipts, as a JSON Web Key Set."""
        return self._get("/keys", as_it_is)

    # --- signing in ---

    @operation
    def sign_up(self, name: str, password: str, *, email: str | None = None) -> Plan[Session]:
        """Create an account and sign in. :class:`Forbidden` where the operator makes the accounts."""
        body = {"name": name, "password": password} | ({} if email is None else {"email": email})
        session = yield from request_and_read(Send("POST", "/accounts", body=body), one(Session), self._config.patience)
        self._sign(session.token)
        return session

    @operation
    def sign_in(self, name: str, password: str, *, code: str | None = None) -> Plan[Session]:
        """Sign in with name (or confirmed mail address) and password. :class:`NotSignedIn` where they do not match.

        Its ``code`` is ``second_factor_needed`` where the account signs in with a *code* of an authenticator app, too.
        """
        body = {"name": name, "password": password} | ({} if code is None else {"code": code})
        send = Send("POST", "/sessions", body=body)
        session = yield from request_and_read(send, one(Session), self._config.patience)
        self._sign(session.token)
        return session

    @operation
    def sign_out(self) -> Plan[None]:
        """End the session, or give up the token, that is used."""
        yield from self._write("DELETE", "/sessions/current")
        self._sign(None)

    @operation
    def close_account(self, password: str | None = None) -> Plan[None]:
        """Close your account and your bots for good. Needs a session, and the password where the account has one.

        :class:`Conflict` as long as you are game master of a campaign that is not over.
        """
        send = Send("DELETE", "/me", body={"password": password})
        yield from request_and_read(send, nothing, self._config.patience)
        self._sign(None)

    @operation
    def me(self) -> Plan[Account]:
        """Return your account."""
        return self._get("/me", one(Account))

    @operation
    def own_data(self) -> Plan[Json]:
        """Return everything the server keeps of your account and bots. Needs a session.

        ``data`` has the rows by table; its columns may change.
        """
        return self._get("/me/data", as_it_is)

    @operation
    def tokens(self) -> Plan[tuple[TokenInfo, ...]]:
        """Return your tokens and sessions that are still good."""
        return self._get("/me/tokens", several(TokenInfo))

    @operation
    def create_token(
        self, name: str, scopes: Sequence[str] = SCOPES, *, days: int | None = None, bot: str | None = None
    ) -> Plan[NewToken]:
        """Create a token for yourself or, with its account's id, for a *bot* of your own. Needs a session.

        *scopes* are some of ``read``, ``orders``, ``gm``; *days* says how long it is good (None: until revoked).
        """
        path = "/me/tokens" if bot is None else f"/me/bots/{bot}/tokens"
        return self._post(path, {"name": name, "scopes": list(scopes), "days": days}, one(NewToken))

    @operation
    def revoke_token(self, token_id: str) -> Plan[None]:
        """Create a token or session worthless."""
        return self._write("DELETE", f"/me/tokens/{token_id}")

    @operation
    def bots(self) -> Plan[tuple[Account, ...]]:
        """Return your bot accounts, by name."""
        return self._get("/me/bots", several(Account))

    @operation
    def create_bot(self, name: str) -> Plan[Account]:
        """Create an account for a program; it signs in with tokens only. Needs a session."""
        return self._post("/me/bots", {"name": name}, one(Account))

    @operation
    def open_bot(self, bot_id: str, plays: str) -> Plan[Account]:
        """List one of your bots as open to games; *plays* says in your words which. Needs a session."""
        return self._patch(f"/me/bots/{bot_id}", {"plays": plays}, one(Account))

    @operation
    def close_bot(self, bot_id: str) -> Plan[Account]:
        """Take one of your bots off the list of bots that are open to games. Needs a session."""
        return self._patch(f"/me/bots/{bot_id}", {"plays": None}, one(Account))

    @operation
    def open_bots(self) -> Plan[tuple[OpenBot, ...]]:
        """Return the bots that are open to games, those seen last first; :meth:`Campaign.invite` asks one by name."""
        return pages(Send("GET", "/bots"), several(OpenBot), self._config.patience, None)

    @operation
    def remove_bot(self, bot_id: str) -> Plan[None]:
        """Close a bot's account; its tokens are worthless within a second."""
        return self._write("DELETE", f"/me/bots/{bot_id}")

    # --- armies ---

    @operation
    def read_roster(self, roster: str | bytes) -> Plan[Roster]:
        """Read a roster made elsewhere: a file of BattleScribe or New Recruit, a table or a list as text.

        Its ``units`` go into ``build_detachment`` orders; ``notes`` names what was not understood. Nothing is stored.
        """
        content = roster.encode() if isinstance(roster, str) else roster
        return self._post("/rosters", content, one(Roster))

    @operation
    def templates(self) -> Plan[tuple[Template, ...]]:
        """Return the detachments one has saved, by name."""
        return self._get("/me/templates", several(Template))

    @operation
    def save_template(
        self, name: str, units: Sequence[Mapping[str, Any]], *, ruleset: str = "", detachment_type: str = ""
    ) -> Plan[Template]:
        """Save a detachment to build again; one of the same name is replaced."""
        body = {"name": name, "units": list(units), "ruleset": ruleset, "detachment_type": detachment_type}
        return self._post("/me/templates", body, one(Template))

    @operation
    def drop_template(self, template_id: str) -> Plan[None]:
        """Throw a saved detachment away."""
        return self._write("DELETE", f"/me/templates/{template_id}")

    # --- campaigns ---

    @operation
    def campaigns(
        self, *, text: str = "", status: str | None = None, mine: bool = False, joinable: bool = False,
        most: int | None = 200,
    ) -> Plan[tuple[CampaignSummary, ...]]:  # fmt: skip
        """Find campaigns, newest first: whose name holds *text*, in a *status*, or only those one plays in or runs.

        *joinable*: only those not started, and those with a seat to take over.
        At most *most* of them; None: all there are.
        """
        params = {"text": text or None, "status": status, "mine": mine or None, "joinable": joinable or None}
        return pages(Send("GET", "/campaigns", params), several(CampaignSummary), self._config.patience, most)

    @operation
    def create_campaign(
        self,
        name: str,
        scenario: str | None = None,
        *,
        description: str = "",
        ruleset: str | None = None,
        listed: bool = True,
        options: Mapping[str, Any] | None = None,
        rules: Mapping[str, Any] | None = None,
        scenario_data: Mapping[str, Any] | None = None,
        ruleset_data: Mapping[str, Any] | None = None,
    ) -> Plan[CampaignInfo]:
        """Create a campaign; its maker is the game master. Needs the scope ``gm``.

        *options* are the server's (deadlines, stand-ins, ...), *rules* the campaign's choices of the rules.
        *scenario* is one of the server's; of your own, *scenario_data* is what ``scenario.json`` holds.
        """
        body = {
            "name": name, "scenario": scenario, "description": description, "ruleset": ruleset, "listed": listed,
            "options": dict(options or {}), "rules": dict(rules or {}), "scenario_data": scenario_data,
            "ruleset_data": ruleset_data,
        }  # fmt: skip
        return self._post("/campaigns", body, one(CampaignInfo))

    @operation
    def start_practice(
        self, scenario: str = "the-pass", *, level: str = "regular", faction: str = "", name: str = "Practice",
        ruleset: str | None = None, rules: Mapping[str, Any] | None = None, give_up: bool = False,
    ) -> Plan[CampaignInfo]:  # fmt: skip
        """Create and start a campaign against computer players; needs the scope ``orders``. No *faction*: by dice."""
        body = {"scenario": scenario, "level": level, "faction": faction, "name": name, "ruleset": ruleset,
                "rules": dict(rules or {}), "give_up": give_up}  # fmt: skip
        return self._post("/practice", body, one(CampaignInfo))

    @operation
    def invitations(self) -> Plan[tuple[Invitation, ...]]:
        """Return the campaigns you are asked into and can still join, newest first."""
        return pages(Send("GET", "/me/invitations"), several(Invitation), self._config.patience, None)

    @operation
    def campaign_of_code(self, code: str) -> Plan[str]:
        """Return the id of the campaign that an invitation code invites to."""
        return self._post("/invitation-codes/look", {"code": code}, text("campaign_id"))

    @operation
    def scenarios(self) -> Plan[tuple[ScenarioInfo, ...]]:
        """Return the scenarios that come with the server."""
        return self._get("/scenarios", several(ScenarioInfo))

    @operation
    def scenario(self, scenario_id: str) -> Plan[Json]:
        """Return a scenario as its file has it."""
        return self._get(f"/scenarios/{scenario_id}", as_it_is)

    @operation
    def rulesets(self) -> Plan[tuple[RulesetInfo, ...]]:
        """Return the rulesets that come with the server."""
        return self._get("/rulesets", several(RulesetInfo))

    # --- live ---

    @iteration
    def follow(self, last_id: str = "") -> Flow[Event]:
        """Follow everything that concerns your account, over all campaigns, without end.

        First comes ``state`` (``account`` and ``campaigns``) or, after *last_id*, what was missed since. A stream that
        breaks is opened again where it was; where no stream can be had, ``state`` comes as often as it changes.
        """
        return self._follower(last_id).events()

    # --- inside ---

    def _sign_in_with(self, token: str | TokenSource | None, http: httpx2.Client | httpx2.AsyncClient) -> None:
        """Sign requests with a token, or with the result of a function before each of them."""
        if not callable(token):
            self._sign(token)
            return
        self._token_source = token
        http.auth = self._signed

    def _signed(self, request: httpx2.Request) -> httpx2.Request:
        request.headers["Authorization"] = f"Bearer {self.token}"
        return request

    def _sign(self, token: str | None) -> None:
        """Sign everything that follows with a token."""
        self._token = token
        self._headers.pop("Authorization", None)
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token}"

    def _turns(self, join: Join | None) -> Flow[OrderSet]:
        def info(campaign_id: str) -> Plan[CampaignInfo]:
            return self._get(f"/campaigns/{campaign_id}", one(CampaignInfo))

        def orders(campaign_id: str) -> Plan[OrderSet]:
            return self._get(f"/campaigns/{campaign_id}/orders", one(OrderSet))

        def stir(campaign_id: str) -> Plan[None]:
            key = self._config.salt_key or ""
            return stir_if_possible(f"/campaigns/{campaign_id}/salts", key, self._config)

        def accept() -> Plan[None]:
            assert join is not None
            return self._accept(join)

        own = stir if self._config.salt_key else None
        return TurnWatcher(info, orders, own, accept if join else None).of_account(self._follower())

    def _accept(self, join: Join) -> Plan[None]:
        """Answer each open invitation as *join* says; a campaign that takes nobody any more is passed over."""
        patience = self._config.patience
        asked = yield from pages(Send("GET", "/me/invitations"), several(Invitation), patience, None)
        for invitation in asked:
            path = f"/campaigns/{invitation.id}"
            try:
                info = yield from self._get(path, one(CampaignInfo))
                ruleset = yield from self._get(f"{path}/ruleset", as_it_is)
                faction = join(info, tuple(ruleset["factions"]))
                if faction is None:
                    yield from self._write("DELETE", f"{path}/invitations/mine")
                else:
                    yield from self._post(f"{path}/seats", {"faction": faction}, nothing)
            except (Conflict, Forbidden, NotFound):
                continue

    def _follower(self, last_id: str = "") -> Follower:
        return Follower("/me/stream", self._load_overview, self._config.patience, self._config.poll, last_id)

    def _load_overview(self) -> Plan[Json]:
        """Read what ``state`` holds, and of campaigns that run where they stand: their list does not tell."""
        at_once = RetryPolicy(0.0)
        account = yield from request_and_read(Send("GET", "/me"), as_it_is, at_once)
        found = yield from request_and_read(Send("GET", "/campaigns", {"mine": True, "limit": 100}), as_it_is, at_once)
        campaigns = []
        for item in found["items"]:
            if item["status"] == "running":
                info = yield from request_and_read(Send("GET", f"/campaigns/{item['id']}"), as_it_is, at_once)
                item |= {name: info[name] for name in ("turn", "phase", "phase_number", "branch", "deadline")}
            campaigns.append(item)
        return {"account": account, "campaigns": campaigns}

    def _get(self, path: str, read: Any) -> Plan[Any]:
        return request_and_read(Send("GET", path), read, self._config.patience)

    def _patch(self, path: str, body: Any, read: Any) -> Plan[Any]:
        return request_and_read(Send("PATCH", path, body=body), read, self._config.patience)

    def _post(self, path: str, body: Any, read: Any) -> Plan[Any]:
        return request_and_read(Send("POST", path, body=body), read, self._config.patience)

    def _write(self, method: str, path: str) -> Plan[None]:
        return request_and_read(Send(method, path), nothing, self._config.patience)
