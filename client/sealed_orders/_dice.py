"""The dice of one campaign: what is published of them, and the salts of your seat."""

from __future__ import annotations

from sealed_orders._missing_salts import stirred
from sealed_orders._one_campaign import OneCampaign
from sealed_orders._operation import operation
from sealed_orders._plans import Plan
from sealed_orders._reading import one
from sealed_orders.records import Dice, Salts


class DiceOperations(OneCampaign):
    """Operations on one campaign's dice."""

    @operation
    def dice(self) -> Plan[Dice]:
        """Return link 0, the commitments of the seat keys, and those keys you may know."""
        return self._get("/dice", one(Dice))

    @operation
    def salts(self) -> Plan[Salts]:
        """Return how the salts of your seat stand."""
        return self._get("/salts", one(Salts))

    @operation
    def give_salts(
        self, *, salt: str | None = None, commitment: str | None = None, kept_by: str | None = None
    ) -> Plan[Salts]:
        """Send the salt of the open phase and the commitment of the next; or let the server keep them again."""
        body = {"salt": salt, "commitment": commitment, "kept_by": kept_by}
        done: Salts = yield from self._write("PUT", "/salts", one(Salts), body)
        self._config.keep(done.receipt)
        return done

    @operation
    def stir(self, key: str) -> Plan[Salts]:
        """Keep the salts of your seat with your own *key* (:func:`sealed_orders.salts.new_key`), in each phase again.

        Sends the salt of the open phase, where this key committed it, and commits that of the next. Twice is once.
        A client made with ``salt_key`` does it automatically in each phase that :meth:`turns` sees.
        """
        return stirred(self._path("/salts"), key, self._config)
