import { h, mount } from "./view.js";

/**
 * Opens a menu below a button: arrow keys walk, letters jump, Escape closes, the focus goes back.
 *
 * @param {HTMLElement} opener
 * @param {({title: string, action: () => any, isDisabled?: boolean, shortcut?: string, isChecked?: boolean} | null)[]} items null is a line.
 */
export function openMenu(opener, items) {
    const menu = document.createElement("div");
    menu.className = "menu";
    menu.setAttribute("role", "menu");
    menu.setAttribute("aria-label", opener.getAttribute("aria-label") ?? "Menu");
    const close = (returnsFocus = true) => {
        menu.remove();
        opener.setAttribute("aria-expanded", "false");
        document.removeEventListener("pointerdown", outside, true);
        if (returnsFocus) opener.focus();
    };
    const outside = (event) => { if (!menu.contains(event.target)) close(false); };
    mount(menu, items.map((item) => item
        ? h("button.menu-item", {
            type: "button", role: item.isChecked === undefined ? "menuitem" : "menuitemradio", tabindex: "-1",
            "aria-checked": item.isChecked === undefined ? null : String(item.isChecked), disabled: item.isDisabled,
            onclick: () => { close(); item.action(); },
        }, h(
            "span.menu-check", { "aria-hidden": "true" }, item.isChecked ? "✓" : ""
        ), h("span.menu-title", null, item.title),
        item.shortcut && h("kbd", null, item.shortcut))
        : h("div.menu-line", { role: "separator" })));
    menu.addEventListener("keydown", (event) => walk(event, menu, close));
    document.body.append(menu);
    place(menu, opener);
    opener.setAttribute("aria-expanded", "true");
    setTimeout(() => document.addEventListener("pointerdown", outside, true));
    /** @type {HTMLElement?} */ (menu.querySelector("button:not(:disabled)"))?.focus();
}

function walk(event, menu, close) {
    const items = [...menu.querySelectorAll("button:not(:disabled)")];
    const at = items.indexOf(document.activeElement);
    const go = (index) => items[(index + items.length) % items.length].focus();
    if (event.key === "ArrowDown") go(at + 1);
    else if (event.key === "ArrowUp") go(at - 1);
    else if (event.key === "Home") go(0);
    else if (event.key === "End") go(-1);
    else if (event.key === "Escape") close();
    else if (event.key === "Tab") close();
    else if (event.key.length === 1 && event.key !== " ") {
        const rest = [...items.slice(at + 1), ...items];
        rest.find((item) => item.textContent.trim().toLowerCase().startsWith(event.key.toLowerCase()))?.focus();
        return;
    } else return;
    event.preventDefault();
    event.stopPropagation();
}

function place(menu, opener) {
    const box = opener.getBoundingClientRect();
    const left = Math.min(box.left, innerWidth - menu.offsetWidth - 8);
    const below = box.bottom + 4;
    const top = below + menu.offsetHeight > innerHeight - 8 ? Math.max(8, box.top - menu.offsetHeight - 4) : below;
    menu.style.left = `${Math.max(8, left)}px`;
    menu.style.top = `${top}px`;
}
