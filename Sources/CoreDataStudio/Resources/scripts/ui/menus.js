import { sentence, visible } from "./text.js";
import { h, mount } from "./view.js";

/** @typedef {{title: string, action: () => any, isDisabled?: boolean, shortcut?: string, isChecked?: boolean, isDestructive?: boolean} | null} MenuItem null is a line. */

/** Closes the menu that is open, if one is. @type {((returnsFocus?: boolean) => void)?} */
let closeOpenMenu = null;

/**
 * Opens a menu below a button: arrow keys walk, letters jump, Escape closes, the focus goes back.
 *
 * @param {HTMLElement} opener @param {MenuItem[]} items
 */
export function openMenu(opener, items) {
    opener.setAttribute("aria-expanded", "true");
    return show(items, opener.getBoundingClientRect(), {
        label: opener.getAttribute("aria-label") ?? "Menu", home: opener,
        onClose: () => opener.setAttribute("aria-expanded", "false"),
    });
}

/**
 * Shows a menu at a point of the window, such as `{ x: event.clientX, y: event.clientY }`, or below an element.
 *
 * @param {MenuItem[]} items
 * @param {{x: number, y: number} | Element} at
 * @param {{label?: string, onDismiss?: () => any}} [options] `onDismiss` is called when the menu closes without a choice.
 * @returns {HTMLElement} The menu's element.
 */
export function showMenu(items, at, { label = "Context menu", onDismiss } = {}) {
    const area = at instanceof Element ? at.getBoundingClientRect() : new DOMRect(at.x, at.y, 0, 0);
    const home = document.activeElement instanceof HTMLElement || document.activeElement instanceof SVGElement
        ? document.activeElement : null;
    return show(items, area, { label, home, onDismiss });
}

function show(items, area, { label, home, onClose, onDismiss }) {
    closeOpenMenu?.(false);
    const menu = document.createElement("div");
    menu.className = "menu";
    menu.setAttribute("role", "menu");
    menu.setAttribute("aria-label", visible(label));
    const remove = (returnsFocus) => {
        closeOpenMenu = null;
        menu.remove();
        onClose?.();
        document.removeEventListener("pointerdown", outside, true);
        removeEventListener("resize", dismissQuietly);
        if (returnsFocus && home?.isConnected) home.focus();
    };
    const dismiss = (returnsFocus = true) => {
        remove(returnsFocus);
        onDismiss?.();
    };
    const dismissQuietly = () => dismiss(false);
    const outside = (event) => { if (!menu.contains(event.target)) dismiss(false); };
    mount(menu, items.map((item) => item
        ? menuItem(item, () => { remove(true); item.action(); })
        : h("div.menu-line", { role: "separator" })));
    menu.addEventListener("keydown", (event) => walk(event, menu, dismiss));
    menu.addEventListener("contextmenu", (event) => event.preventDefault());
    document.body.append(menu);
    closeOpenMenu = dismiss;
    place(menu, area);
    // The press that opens the menu is still under way.
    setTimeout(() => { if (menu.isConnected) document.addEventListener("pointerdown", outside, true); });
    addEventListener("resize", dismissQuietly);
    /** @type {HTMLElement?} */ (menu.querySelector("button:not(:disabled)"))?.focus();
    return menu;
}

function menuItem(item, choose) {
    const isRadio = item.isChecked !== undefined;
    return h("button.menu-item", {
        type: "button", role: isRadio ? "menuitemradio" : "menuitem", tabindex: "-1",
        class: item.isDestructive ? "destructive" : "",
        "aria-checked": isRadio ? String(item.isChecked) : null, disabled: item.isDisabled, onclick: choose,
    },
    h("span.menu-check", { "aria-hidden": "true" }, item.isChecked ? "✓" : ""),
    h("span.menu-title", null, sentence(item.title)),
    item.shortcut && h("kbd", null, item.shortcut));
}

function walk(event, menu, dismiss) {
    const items = [...menu.querySelectorAll("button:not(:disabled)")];
    const at = items.indexOf(document.activeElement);
    const go = (index) => items[(index + items.length) % items.length]?.focus();
    if (event.key === "ArrowDown") go(at + 1);
    else if (event.key === "ArrowUp") go(at - 1);
    else if (event.key === "Home") go(0);
    else if (event.key === "End") go(-1);
    else if (event.key === "Escape") dismiss();
    else if (event.key === "Tab") dismiss();
    else if (event.key.length === 1 && event.key !== " ") {
        const rest = [...items.slice(at + 1), ...items];
        rest.find((item) => item.textContent.trim().toLowerCase().startsWith(event.key.toLowerCase()))?.focus();
        return event.stopPropagation();
    } else return;
    event.preventDefault();
    event.stopPropagation();
}

/** Below an area, or above it where there is no room below. */
function place(menu, area) {
    const gap = area.height > 0 ? 4 : 0;
    const left = Math.min(area.left, innerWidth - menu.offsetWidth - 8);
    const below = area.bottom + gap;
    const above = Math.max(8, area.top - menu.offsetHeight - gap);
    menu.style.left = `${Math.max(8, left)}px`;
    menu.style.top = `${below + menu.offsetHeight > innerHeight - 8 ? above : below}px`;
}
