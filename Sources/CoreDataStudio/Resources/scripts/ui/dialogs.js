import { drawSteadily } from "./drawing.js";
import { plainText, sentence } from "./text.js";
import { h, mount } from "./view.js";

/**
 * Shows a dialog, and answers with what closed it: the value of a button, or null where it was dismissed.
 *
 * @param {{title: string, body: (redraw: () => void) => any, actions: {title: string, value: any, isDefault?: boolean,
 *   isDestructive?: boolean, isEnabled?: () => boolean, href?: string}[], class?: string}} options An action with `href` opens a
 *   page of others in a tab of its own, which learns nothing of this one.
 * @returns {Promise<any>}
 */
export function showDialog({ title, body, actions, class: name = "" }) {
    const dialog = document.createElement("dialog");
    dialog.className = `dialog ${name}`;
    dialog.setAttribute("aria-label", plainText(title));
    document.body.append(dialog);
    return new Promise((resolve) => {
        const close = (value) => {
            dialog.close();
            dialog.remove();
            resolve(typeof value === "function" ? value() : value);
        };
        const drawNow = () => mount(dialog, h("form.dialog-form", {
            onsubmit: (event) => {
                event.preventDefault();
                const main = actions.find((action) => action.isDefault);
                if (main && (main.isEnabled?.() ?? true)) close(main.value);
            },
        },
        h("h2", null, sentence(title)), h("div.dialog-body", null, body(draw)),
        h("div.dialog-actions", null, actions.map((action) => (action.href ? link(action, close) : h("button.button", {
            type: action.isDefault ? "submit" : "button",
            class: action.isDefault ? "primary" : action.isDestructive ? "destructive" : "",
            disabled: !(action.isEnabled?.() ?? true),
            onclick: action.isDefault ? null : () => close(action.value),
        }, action.title))))));
        const draw = () => drawSteadily(drawNow);
        dialog.addEventListener("cancel", (event) => { event.preventDefault(); close(null); });
        dialog.addEventListener("click", (event) => { if (event.target === dialog) close(null); });
        drawNow();
        dialog.showModal();
        /** @type {HTMLElement?} */ (dialog.querySelector("[autofocus], input, .primary"))?.focus();
    });
}

/** An action that opens a page. The dialog stays until the browser has taken the click. */
function link({ title, value, href }, close) {
    return h("a.button.primary", { href, target: "_blank", rel: "noreferrer noopener", onclick: () => setTimeout(() => close(value)) }, title);
}

/** Shows text that can only be read and copied. */
export function showMessage(title, ...paragraphs) {
    return showDialog({
        title, body: () => paragraphs.map((text) => h("p", null, sentence(text))),
        actions: [{ title: "OK", value: true, isDefault: true }],
    });
}

