"""Waiting for what happens at the table."""

from __future__ import annotations

from playwright.sync_api import Page, expect


def phase(page: Page, name: str) -> None:
    """Wait for a phase to be the one on the table."""
    expect(page.locator("#campaign-now .badge")).to_contain_text(name)
    expect(page.locator(f'#table[data-phase="{name}"]')).to_be_attached()
    expect(page.locator(".dock-foot")).to_contain_text("Declare final")
