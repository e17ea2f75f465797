import { bytes } from "../net/api.js";

const types = { png: "image/png", jpeg: "image/jpeg", gif: "image/gif", webp: "image/webp" };
/** How large a picture is that the grid shows; larger ones are in the inspector. */
const mostBytes = 400_000;
const mostKept = 200;
/** Addresses of pictures by object and property, those used last behind. @type {Map<string, Promise<string>>} */
const kept = new Map();

/** Whether a picture is shown: of a kind that runs no script, and of measures that no memory bursts of. */
export function isPicture(value) {
    return value.kind in types && value.bytes <= 4e6 && value.width > 0 && value.width * value.height <= 16e6;
}

/** Shows a picture, which the browser alone decodes. */
export async function showPicture(element, object, key, value) {
    try {
        element.src = await address(object, key, value);
    } catch {
        element.alt = "The picture can't be read.";
    }
}

/** A picture for a cell, which is read as soon as the cell stays in sight for a moment; null where there is none. */
export function thumbnail(object, key, value) {
    if (!isPicture(value) || value.bytes > mostBytes) return null;
    const element = document.createElement("img");
    element.className = "thumbnail";
    element.alt = "";
    setTimeout(() => { if (element.isConnected) showPicture(element, object, key, value); }, 120);
    return element;
}

function address(object, key, value) {
    const name = `${object} ${key}`;
    const known = kept.get(name) ?? read(object, key, value);
    kept.delete(name);
    kept.set(name, known);
    if (kept.size > mostKept) forget(kept.keys().next().value);
    return known;
}

async function read(object, key, value) {
    const content = await bytes("store/bytes", { object, key, from: 0, count: value.bytes });
    return URL.createObjectURL(new Blob([content], { type: types[value.kind] }));
}

function forget(name) {
    kept.get(name)?.then((old) => URL.revokeObjectURL(old), () => { /* it was never made */ });
    kept.delete(name);
}
