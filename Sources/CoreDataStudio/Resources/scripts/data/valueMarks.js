import { showDialog } from "../ui/dialogs.js";
import { visible } from "../ui/text.js";
import { h } from "../ui/view.js";

const hexColor = /^#(?:[0-9a-f]{6}|[0-9a-f]{8})$/iu;
/** Longer texts are no addresses. */
const longestAddress = 2000;

/** The colour that a value is, as style sheets have it; null for what is none. @param {any} value What the server sent. @returns {string?} */
export function colorOf(value) {
    if (typeof value === "string") return hexColor.test(value) ? value : null;
    return value?.color && hexColor.test(value.color) ? value.color : null;
}

/** A small field of a colour, beside the words for it. @param {string} color */
export function swatch(color) {
    return h("span.swatch", { key: `swatch ${color}`, "aria-hidden": "true", ref: (element) => paint(element, color) });
}

/** The same as an element. @param {string} color */
export function swatchElement(color) {
    const element = document.createElement("span");
    element.className = "swatch";
    element.setAttribute("aria-hidden", "true");
    return paint(element, color);
}

/** The page's policy allows no style in markup; the element's own is set. */
function paint(element, color) {
    element.style.setProperty("--swatch", color);
    return element;
}

/**
 * The address of a page that a value is. Only `http` and `https` lead anywhere: other schemes run scripts, or open files.
 *
 * @param {any} value What the server sent. @returns {URL?}
 */
export function webAddress(value) {
    if (typeof value !== "string" || value.length > longestAddress || !/^https?:\/\/\S+$/iu.test(value) || visible(value) !== value) return null;
    const address = URL.canParse(value) ? new URL(value) : null;
    return address && ["http:", "https:"].includes(address.protocol) ? address : null;
}

/** Shows where a link leads, and opens it if one wants that. The other page learns nothing of this one. @param {URL} address */
export function askToOpen(address) {
    return showDialog({
        title: "Open the Link?",
        body: () => [
            h("p", null, "It leads to ", h("b", { id: "link-host" }, visible(address.host)), ", outside of the studio."),
            h("p.code.link-address", { id: "link-address" }, visible(address.href)),
        ],
        actions: [{ title: "Cancel", value: null }, { title: "Open in a New Tab", value: true, href: address.href }],
    });
}
