import { plainText } from "./text.js";

/** Text that is cut off has its whole as a tooltip, as soon as the pointer or the focus comes to it, or it is changed. */
const candidates = "input.field, select.field, .item-name, .item-detail, th, td, .text-cell, .name-cell .link, .document h1, .name-cell code";
/** Elements with a tooltip from here. */
const marked = new WeakSet();
const canvas = document.createElement("canvas").getContext("2d");

export function showCutText() {
    for (const type of ["pointerover", "focusin", "change"]) {
        document.addEventListener(type, (event) => {
            const element = /** @type {Element} */ (event.target).closest?.(candidates);
            if (element) update(element);
        });
    }
}

function update(element) {
    if (element.title && !marked.has(element)) return;
    if (isCut(element)) {
        element.title = plainText(textOf(element));
        marked.add(element);
    } else if (marked.has(element)) {
        element.removeAttribute("title");
        marked.delete(element);
    }
}

function textOf(element) {
    if (element instanceof HTMLSelectElement) return element.selectedOptions[0]?.textContent ?? "";
    return element.value ?? element.textContent.trim();
}

function isCut(element) {
    if (element instanceof HTMLSelectElement) return isWiderThan(element);
    // A cell with fields is wider than its text.
    if (element.matches("td, th") && element.querySelector("input, select, textarea, button")) return false;
    return element.scrollWidth > element.clientWidth + 1;
}

/** A pop-up does not say how wide its text is. */
function isWiderThan(element) {
    const style = getComputedStyle(element);
    canvas.font = style.font;
    const room = element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return canvas.measureText(textOf(element)).width > room;
}
