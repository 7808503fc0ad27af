"""Maps and rulesets as their files have them: what every one of them has; the rest is in their own formats."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class Scenario(BaseModel):
    """A map with everything a campaign on it begins with (docs/maps.md)."""

    model_config = ConfigDict(extra="allow")

    title: str = Field("", examples=["The Pass"])
    summary: str = Field("", examples=["A duel over one mountain pass."])
    ruleset: str = Field("", examples=["frontier"])
    terrain: dict[str, str] = Field({}, description="Terrains by their signs.", examples=[{".": "plains"}])
    board: list[str] = Field([], description="The rows of the map.", examples=[[". .", " . ."]])
    places: dict[str, str] = Field({}, description="Names of hexes.", examples=[{"0602": "Upper Ford"}])


class Army(BaseModel):
    """An army for a battle on the table."""

    model_config = ConfigDict(extra="allow")

    units: list[dict[str, Any]] = Field([], examples=[[{"name": "Rifle Squad", "models": 10, "points": 120}]])


class Ruleset(BaseModel):
    """Costs, tables, factions."""

    model_config = ConfigDict(extra="allow")

    id: str = Field("", examples=["frontier"])
    version: str = Field("", examples=["1"])
