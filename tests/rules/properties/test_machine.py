"""The same campaigns, steered by Hypothesis: it chooses who orders what, and who says nothing.

Seen to fail: with steps onto other detachments not taken back in ``settle``, and with ``State.move`` leaving the old
hex in its table.
"""

from __future__ import annotations

from random import Random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from server.rules import codec
from server.rules.phases import resolve
from server.rules.sight import views_for
from server.rules.state import OVER, State
from tests.rules.properties.campaigns import LONG, Phase
from tests.rules.properties.garbage import anything
from tests.rules.properties.invariants import Witness, check_state
from tests.rules.properties.players import Order, orders_of
from tests.rules.properties.worlds import MAPS, RULESETS, Plan, dice_of, new_campaign

plans = st.builds(
    Plan,
    seed=st.integers(0, 10_000),
    map=st.sampled_from([map_ for map_ in MAPS if map_ != "wide"]),
    players=st.integers(2, 4),
    ruleset=st.sampled_from(RULESETS),
)


class Campaign(RuleBasedStateMachine):
    """A campaign: each step is a phase."""

    def __init__(self) -> None:
        super().__init__()
        self.witness = Witness()

    @initialize(plan=plans)
    def open(self, plan: Plan) -> None:
        """Begin."""
        self.plan = plan
        self.state: State = new_campaign(plan)

    def going_on(self) -> bool:
        """True until somebody has won."""
        return self.state.phase != OVER

    @precondition(going_on)
    @rule(seeds=st.lists(st.integers(0, 1000), min_size=4, max_size=4), silent=st.sets(st.integers(0, 3)))
    def order(self, seeds: list[int], silent: set[int]) -> None:
        """Some players order, others say nothing."""
        views = views_for(self.state, ())
        orders: dict[str, list[Order]] = {
            player: orders_of(view, Random(seed))
            for place, ((player, view), seed) in enumerate(zip(views.items(), seeds, strict=False))
            if place not in silent
        }
        resolution = resolve(self.state, orders, dice_of(self.plan, self.state))
        self.witness.watch(Phase(self.plan, self.state, views, orders, resolution))
        self.state = resolution.state

    @precondition(going_on)
    @rule(raw=st.lists(anything, max_size=3))
    def babble(self, raw: list[object]) -> None:
        """One player hands in anything at all: it is refused, and nothing else comes of it."""
        player = next(iter(self.state.players))
        dice = dice_of(self.plan, self.state), dice_of(self.plan, self.state)
        silent, babbled = resolve(self.state, {}, dice[0]), resolve(self.state, {player: raw}, dice[1])
        if len(babbled.problems.get(player, ())) >= len(raw):
            assert codec.encode(silent.state) == codec.encode(babbled.state)

    @rule()
    def look_back(self) -> None:
        """What was written can be read, also when all is over."""
        read = codec.decode(codec.encode(self.state), self.state.board, self.state.ruleset)
        assert codec.encode(read) == codec.encode(self.state)

    @precondition(going_on)
    @rule(seed=st.integers(0, 1000))
    def master(self, seed: int) -> None:
        """The game master notes who controls the system (D-73)."""
        self.state.system_control = Random(seed).choice(("", *self.state.players))

    @invariant()
    def sound(self) -> None:
        """Whatever has happened, the state is sound."""
        if hasattr(self, "state"):
            check_state(self.state)


Campaign.TestCase.settings = settings(
    max_examples=200 if LONG else 25,
    stateful_step_count=60 if LONG else 25,
    deadline=None,
    derandomize=not LONG,
    suppress_health_check=list(HealthCheck),
)
TestCampaign = Campaign.TestCase
