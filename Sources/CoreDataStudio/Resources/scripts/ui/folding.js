import { h } from "./view.js";

/**
 * Something that folds under its summary.
 *
 * The browser tells of a click on a summary a moment later. A page that was drawn in between would show it as it was before
 * the click. So the click is taken here, and told at once; what else unfolds it, such as a search in the page, is told later.
 *
 * @param {string} tag `details`, with its classes.
 * @param {{isOpen: boolean, folded: (isOpen: boolean) => void, [name: string]: any}} props With those of the element.
 * @param {any} summary @param {...any} children
 */
export function folding(tag, { isOpen, folded, ...props }, summary, ...children) {
    const click = (event) => {
        event.preventDefault();
        const details = event.currentTarget.parentElement;
        details.open = !details.open;
        folded(details.open);
    };
    return h(tag, { ...props, open: isOpen, ontoggle: ({ target }) => folded(target.open) }, h("summary", { onclick: click }, summary), ...children);
}
