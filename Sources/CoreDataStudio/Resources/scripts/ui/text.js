import { h } from "./view.js";

/**
 * Text of a model in the window's sentences. A model can hold marks that turn the direction of what follows: they are
 * shown as escapes, and words that run from right to left are isolated, so that neither can mirror the words around.
 */

/** The marks that direct text, and other characters that can't be seen. */
const controls = /[\u0000-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/gu;
/** A letter that runs from right to left. */
const rightToLeft = "\\u0590-\\u08FF\\uFB1D-\\uFDFF\\uFE70-\\uFEFC\\u{10800}-\\u{10FFF}\\u{1E800}-\\u{1EFFF}";
/** What stands in quotes, or is a word with such a letter. */
const foreign = new RegExp(`(“[^”]*”|‘[^’]*’|[^\\s“”‘’.,:;()]*[${rightToLeft}][^\\s“”‘’.,:;()]*)`, "gu");

/** A character that can't be seen, as one writes it. @param {string} character */
function escape(character) {
    return `\\u{${character.codePointAt(0).toString(16).toUpperCase()}}`;
}

/** A text with marks as escapes. Line breaks stay. @param {string} text */
export function visible(text) {
    return String(text ?? "").replace(controls, (character) => (character === "\n" || character === "\t" ? character : escape(character)));
}

/** A name or a value of a model, isolated from what stands around it. @param {string} text */
export function modelText(text) {
    return h("bdi", null, visible(text));
}

/** A sentence with names and values of a model in it. @param {string} text */
export function sentence(text) {
    return visible(text).split(foreign).map((part, index) => {
        if (index % 2 === 0) return part;
        const isQuoted = "“‘".includes(part[0]);
        return isQuoted ? [part[0], h("bdi", null, part.slice(1, -1)), part.at(-1)] : h("bdi", null, part);
    });
}

/** The same for attributes and titles, which hold no elements. @param {string} text */
export function plainText(text) {
    return visible(text).split(foreign).map((part, index) => {
        const needsIsolation = index % 2 === 1 && new RegExp(`[${rightToLeft}]`, "u").test(part);
        return needsIsolation ? `\u2068${part}\u2069` : part;
    }).join("");
}
