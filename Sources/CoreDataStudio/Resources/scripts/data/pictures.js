import { bytes } from "../net/api.js";

const types = { png: "image/png", jpeg: "image/jpeg", gif: "image/gif", webp: "image/webp" };
/** How large a picture is at most that is shown. */
const mostShown = 4e6;
/** How large a picture is that the grid shows, and how many pixels it has; larger ones are in the inspector. */
const mostBytes = 400_000;
const mostPixels = 4e6;
const mostKept = 200;
/** How long an element may take to load from an address that is given up, in milliseconds. */
const loadingTime = 10_000;
/** Addresses of pictures by the names of their values, those used last behind. @type {Map<string, Promise<string>>} */
const kept = new Map();
/** How often values of an object, and of all objects, may have become others. @type {Map<string, number>} */
const ages = new Map();
let age = 0;

/** Whether a picture is shown: of a kind that runs no script, and of measures that no memory bursts of. */
export function isPicture(value) {
    return value.kind in types && value.bytes <= mostShown && value.width > 0 && value.width * value.height <= 16e6;
}

/** Names a value as it is now: it has another name when it may be another one. */
export function valueName(object, key, value) {
    return [object, key, age, ages.get(object) ?? 0, value.kind, value.bytes ?? value.length, value.width, value.height].join(" ");
}

/** Has the values of some objects be read anew, or those of all. @param {Iterable<string>} [objects] */
export function outdateValues(objects) {
    if (objects) for (const object of objects) ages.set(object, (ages.get(object) ?? 0) + 1);
    else age += 1;
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
    if (!isPicture(value) || value.bytes > mostBytes || value.width * value.height > mostPixels) return null;
    const element = document.createElement("img");
    element.className = "thumbnail";
    element.alt = "";
    setTimeout(() => { if (element.isConnected) showPicture(element, object, key, value); }, 120);
    return element;
}

function address(object, key, value) {
    const name = valueName(object, key, value);
    const known = kept.get(name) ?? read(object, key, value);
    kept.delete(name);
    kept.set(name, known);
    if (kept.size > mostKept) forget(kept.keys().next().value);
    return known;
}

async function read(object, key, value) {
    // The value may have changed since: as many bytes are read as a picture has at most.
    const content = await bytes("store/bytes", { object, key, from: 0, count: mostShown });
    return URL.createObjectURL(new Blob([content], { type: types[value.kind] }));
}

function forget(name) {
    const forgetLater = (old) => setTimeout(() => URL.revokeObjectURL(old), loadingTime);
    kept.get(name)?.then(forgetLater, () => { /* it was never made */ });
    kept.delete(name);
}
