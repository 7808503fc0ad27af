"""A bot that is open to games, from the list to its first orders, by the library alone."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from threading import Thread

import pytest

from sealed_orders import Campaign, Client, Forbidden, Join, NotFound, Turn
from tests.client.club import PASSWORD, new_name
from tests.client.test_docs import PAGE
from tests.e2e.processes import ServerProcess

PLAYS = "Frontier, maps for two; plays at once"


@pytest.fixture
def owner(server: ServerProcess) -> Iterator[Client]:
    with Client(server.base_url, patience=20) as client:
        client.sign_up(new_name("Olga"), PASSWORD)
        yield client


@pytest.fixture
def host(server: ServerProcess) -> Iterator[Client]:
    with Client(server.base_url, patience=20) as client:
        client.sign_up(new_name("Hugo"), PASSWORD)
        yield client


@pytest.fixture
def bot(server: ServerProcess, owner: Client) -> Iterator[Client]:
    account = owner.create_bot(new_name("Marvin"))
    owner.open_bot(account.id, PLAYS)
    with Client(server.base_url, owner.create_token("run", bot=account.id).secret, patience=20) as client:
        yield client


def inviting(host: Client, bot: Client, scenario: str = "the-pass") -> str:
    made = host.create_campaign(new_name("Bots Welcome"), scenario, listed=False, options={"gm_plays": True})
    host.campaign(made.id).join("orks")
    found = {each.name: each for each in host.open_bots()}[bot.me().name]
    assert found.plays == PLAYS
    host.campaign(made.id).invite(found.name)
    return made.id


class OneTurn:
    """A client whose turns end with the first."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def turns(self, *, join: Join) -> Iterator[Turn[Campaign]]:
        turns = self.client.turns(join=join)
        yield next(turns)
        turns.close()


def start_when_full(host: Client, campaign_id: str) -> None:
    while not all(seat.taken for seat in host.campaign(campaign_id).info().seats):
        time.sleep(0.05)
    host.campaign(campaign_id).start()


def test_an_invited_bot_answers_as_the_guide_says(host: Client, bot: Client) -> None:
    """It is asked into a campaign for two and one for four: it takes a seat in the first, and declines the other."""
    found = re.search(r"<!-- open.py;.*?-->\n```python\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    wanted, unwanted = inviting(host, bot), inviting(host, bot, "four-corners")
    assert {asked.id for asked in bot.invitations()} == {wanted, unwanted}
    starting = Thread(target=start_when_full, args=(host, wanted))
    starting.start()
    exec(found[1], {"client": OneTurn(bot)})
    starting.join()
    assert bot.invitations() == ()
    orders = bot.campaign(wanted).orders()
    assert (orders.phase, orders.final) == ("setup", True)
    assert bot.campaign(unwanted).info().your_seats == ()


def test_a_bot_is_taken_off_the_list_by_its_owner_alone(owner: Client, host: Client, bot: Client) -> None:
    account = bot.me()
    assert account.plays == PLAYS
    with pytest.raises(Forbidden):
        bot.close_bot(account.id)
    with pytest.raises(NotFound):
        host.close_bot(account.id)
    assert owner.close_bot(account.id).plays is None
    assert account.name not in [each.name for each in host.open_bots()]


def test_a_bot_declines(host: Client, bot: Client) -> None:
    campaign = inviting(host, bot)
    bot.campaign(campaign).decline()
    assert bot.invitations() == ()
