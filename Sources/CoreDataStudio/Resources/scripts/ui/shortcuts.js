/** Keys as they are called on this system. */
export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** `mod+shift+z` as it is written on this system. @param {string} shortcut */
export function shortcutTitle(shortcut) {
    const names = isMac
        ? { mod: "⌘", shift: "⇧", alt: "⌥", delete: "⌫", arrowup: "↑", arrowdown: "↓", pageup: "Page Up", pagedown: "Page Down" }
        : { mod: "Ctrl", shift: "Shift", alt: "Alt", delete: "Delete", arrowup: "↑", arrowdown: "↓", pageup: "Page Up", pagedown: "Page Down" };
    return shortcut.split("+").map((key) => names[key] ?? key.toUpperCase()).join(isMac ? "" : "+");
}

/** Whether a key event is a shortcut. @param {KeyboardEvent} event @param {string} shortcut */
export function matches(event, shortcut) {
    const keys = shortcut.split("+");
    const key = keys.at(-1);
    const pressed = event.key.toLowerCase();
    return (isMac ? event.metaKey : event.ctrlKey) === keys.includes("mod")
        && event.shiftKey === (keys.includes("shift") || (key.length === 1 && "?+".includes(key)))
        && event.altKey === keys.includes("alt")
        && (pressed === key || (key === "delete" && pressed === "backspace"));
}

/** Whether a key event belongs to a field in which one types. @param {Event} event */
export function isInField(event) {
    const target = event.target;
    if (target instanceof HTMLInputElement) return !["checkbox", "radio", "range", "button"].includes(target.type);
    return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
