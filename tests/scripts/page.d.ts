// What the scripts of the pages find in their page, for `npm run types`.

/** A selector or an id says nothing of the kind of element: the page has what its script looks for. */
interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}
interface Document { getElementById(id: string): any }

/** Events of the pages' own, and those of htmx. */
interface DocumentEventMap {
  live: CustomEvent<{ kind: string; data?: any }>;
}
interface HTMLElementEventMap {
  "htmx:configRequest": CustomEvent;
  "htmx:beforeSwap": CustomEvent;
  "htmx:sendError": CustomEvent;
  "htmx:afterSettle": CustomEvent;
}
interface WindowEventMap {
  "tt-note": CustomEvent;
  "tt-problem": CustomEvent;
  "tt-refused": CustomEvent;
}
