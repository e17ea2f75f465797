import { h, mount } from "./view.js";
import { sentence } from "./text.js";

/** A sentence below a field with a text that is refused. There is one at a time: one types in one field. */
const panel = document.createElement("div");
panel.className = "refusal";
panel.id = "refusal";
panel.setAttribute("role", "alert");

/** @type {HTMLElement?} */
let field = null;
/** What the field said of itself before. @type {Map<string, string|null>} */
let former = new Map();

/** Marks a field, and says below it why its text can't be. @param {HTMLElement} element @param {string} text */
export function refuse(element, text) {
    if (field !== element) accept(field);
    if (!field) {
        field = element;
        former = new Map(["aria-invalid", "aria-describedby"].map((name) => [name, element.getAttribute(name)]));
        for (const type of ["scroll", "resize"]) addEventListener(type, place, true);
    }
    element.setAttribute("aria-invalid", "true");
    element.setAttribute("aria-describedby", panel.id);
    // A dialog lies above all that is not in it.
    (element.closest("dialog") ?? document.body).append(panel);
    mount(panel, h("span", null, sentence(text)));
    place();
}

/** Takes the mark and the sentence away. @param {HTMLElement?} element */
export function accept(element) {
    if (!field || field !== element) return;
    for (const [name, value] of former) {
        if (value === null) field.removeAttribute(name);
        else field.setAttribute(name, value);
    }
    field = null;
    panel.remove();
    for (const type of ["scroll", "resize"]) removeEventListener(type, place, true);
}

function place() {
    if (!field?.isConnected) return accept(field);
    const box = field.getBoundingClientRect();
    const left = Math.max(8, Math.min(box.left, innerWidth - panel.offsetWidth - 8));
    const below = box.bottom + 4;
    const above = box.top - panel.offsetHeight - 4;
    panel.style.left = `${left}px`;
    panel.style.top = `${below + panel.offsetHeight > innerHeight - 8 ? above : below}px`;
}
