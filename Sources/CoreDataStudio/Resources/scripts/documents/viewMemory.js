import { documents } from "./documents.js";

/**
 * What a window shows of each document, for as long as the window is there: one comes back to a tab as one left it.
 *
 * @param {() => any} read What is shown now.
 */
export function keepView(read) {
    addEventListener("pagehide", () => {
        if (!documents.current) return;
        try { sessionStorage.setItem(key(), JSON.stringify(read())); } catch { /* such a browser starts afresh at each tab */ }
    });
}

/** What was shown of the document when the window left it; null for a document that it did not show. */
export function keptView() {
    try { return JSON.parse(sessionStorage.getItem(key()) ?? "null"); } catch { return null; }
}

const key = () => `view ${documents.current}`;

/** Where elements are scrolled to. @param {string[]} selectors */
export function scrollPlaces(selectors) {
    return Object.fromEntries(selectors.map((selector) => {
        const element = document.querySelector(selector);
        return [selector, element ? [element.scrollLeft, element.scrollTop] : null];
    }));
}

/** Scrolls elements to where they were. @param {Object<string, [number, number]?>} places */
export function scrollTo(places) {
    for (const [selector, place] of Object.entries(places ?? {})) {
        const element = place && document.querySelector(selector);
        if (element) [element.scrollLeft, element.scrollTop] = place;
    }
}
