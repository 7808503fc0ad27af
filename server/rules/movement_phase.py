"""Phases 2 and 3: all movement orders carried out by initiative, then all claims decided (3.1, 3.6)."""

from __future__ import annotations

from server.rules.board import ORBIT, Hex
from server.rules.claims import Claims, claim_area, settle_claims
from server.rules.elimination import check_victory
from server.rules.initiative import initiative
from server.rules.movement import claiming_mv, follow, move_along, move_convoy, mover
from server.rules.orders import movement as orders
from server.rules.orders.sets import OrderBook
from server.rules.recovery import recover
from server.rules.scene import Scene
from server.rules.state import Detachment, Id, PlayerId


def play_movement(scene: Scene, book: OrderBook) -> None:
    """Carry out phase 3; the campaign may be over after it (a capital claimed)."""
    claims = Claims()
    can_recover = _undisturbed(scene, book)
    ranking = initiative(scene, "initiative")
    for player in ranking:
        for order in book.of(player):
            _carry_out(scene, player, order, claims, can_recover)
    for player in reversed(ranking):  # who loses initiative moves after everybody, the first last (3.1)
        for order in book.of(player):
            if isinstance(order, orders.Follow):
                _follow(scene, order)
    for player in ranking:
        for order in book.of(player):
            if isinstance(order, orders.ClaimArea) and order.detachment in scene.state.detachments:
                claim_area(scene.state, claims, scene.state.detachments[order.detachment])
    settle_claims(scene, claims)
    check_victory(scene, end_of_turn=False)


def _undisturbed(scene: Scene, book: OrderBook) -> dict[Id, None]:
    """Return the detachments on Recover that begin the phase outside enemy ZOC, seen or not (2.1.3, D-07)."""
    state = scene.state
    ids = [order.detachment for each in book.accepted.values() for order in each if isinstance(order, orders.Recover)]
    return {id_: None for id_ in ids if not state.enemy_zoc(state.detachments[id_].at, state.detachments[id_].owner)}


def _carry_out(scene: Scene, player: PlayerId, order: object, claims: Claims, can_recover: dict[Id, None]) -> None:
    state = scene.state
    if isinstance(order, orders.Path) and order.convoy:
        convoy = state.convoys.get(order.convoy)
        if convoy is not None and convoy.owner == player:
            move_convoy(scene, convoy, order.path, unload=order.unload)
        return
    if not isinstance(order, orders.MovementOrder):
        return
    detachment = state.detachments.get(order.detachment)
    if detachment is None:
        return
    if isinstance(order, orders.Recover):
        if detachment.id in can_recover:
            recover(scene, detachment)
        else:
            scene.tell("recovery_disturbed", (player,), force=detachment.id, hex=scene.label(detachment.at))
    elif isinstance(order, orders.MoveAndClaim):
        _move_and_claim(scene, detachment, order, claims)
    elif isinstance(order, orders.Reserve):
        who = mover(state, detachment)
        move_along(scene, detachment, who, order.path, who.mv + state.ruleset.reserve_mv, reserve=True)
        detachment.battle_order = "inactive"
    elif isinstance(order, orders.Path):
        who = mover(state, detachment)
        move_along(scene, detachment, who, order.path, who.mv)


def _move_and_claim(scene: Scene, detachment: Detachment, order: orders.MoveAndClaim, claims: Claims) -> None:
    """2.1.4, D-48: claim the hex left and each hex entered, but none in enemy ZOC at that moment."""
    state, player = scene.state, detachment.owner
    start = detachment.at
    free_start = not state.enemy_zoc(start, player)
    who = mover(state, detachment)
    result = move_along(scene, detachment, who, order.path, claiming_mv(who.mv, state.ruleset))
    claimed: list[Hex] = [start] if free_start else []
    claimed += [hex_ for hex_, zoc in zip(result.entered, result.in_zoc, strict=True) if not zoc]
    for hex_ in claimed:
        claims.claim(hex_, detachment)


def _follow(scene: Scene, order: orders.Follow) -> None:
    state = scene.state
    detachment, target = state.detachments.get(order.detachment), state.detachments.get(order.target)
    if detachment is not None and target is not None and target.at != ORBIT:
        follow(scene, detachment, target)
