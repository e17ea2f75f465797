import { visible } from "../ui/text.js";

/** What a cell shows. @typedef {{text: string, class?: string, title?: string, link?: string, count?: number}} Shown */

const kinds = {
    jpeg: "JPEG", png: "PNG", gif: "GIF", webp: "WebP", tiff: "TIFF", heic: "HEIC", pdf: "PDF", propertyList: "Property list",
    zip: "ZIP", gzip: "gzip", sqlite: "SQLite", xml: "XML", riff: "RIFF", ogg: "Ogg", mp3: "MP3", mp4: "MP4", json: "JSON", svg: "SVG picture", text: "Text", unknown: "Data",
};

/** What a kind of data is called. @param {string} kind */
export function kindTitle(kind) {
    return kinds[kind] ?? kind;
}

/** @param {any} value What the server sent. @param {import("./columns.js").Property} property @returns {Shown} */
export function shown(value, property) {
    if (value === null || value === undefined) return { text: "–", class: "no-value", title: "No value" };
    if (property.kind === "toOne") return { text: line(value.title ?? value.id), class: "link-cell", link: value.id, title: value.id };
    if (property.kind === "toMany") {
        return { text: grouped(value.count), class: value.count ? "count-cell" : "no-value", count: value.count };
    }
    if (typeof value === "boolean") return { text: value ? "true" : "false", class: value ? "yes" : "no" };
    if (typeof value === "string") return text(value);
    if ("date" in value) return { text: localDate(value), title: rawDate(value), class: "date-cell" };
    if ("bytes" in value) return { text: dataTitle(value), class: "data-cell", ...(value.file && { title: `In the external file ${value.file}` }) };
    if ("missingFile" in value) return { text: "External file is missing", class: "missing", title: value.missingFile };
    return { text: `${line(value.text)}…`, title: `${grouped(value.length)} characters` };
}

function text(value) {
    return value === "" ? { text: "“”", class: "no-value", title: "A text without characters" } : { text: line(value) };
}

/** A text in one line, with its marks to be seen. @param {string} value */
function line(value) {
    return visible(value).replaceAll("\n", "⏎").replaceAll("\t", " ");
}

/** 1,234,567 @param {number} number */
export function grouped(number) {
    return number.toLocaleString("en-US");
}

/** A date by the clock of this computer. @param {{date: string, iso: string?}} value */
export function localDate(value) {
    const date = value.iso ? new Date(value.iso) : null;
    if (!date || Number.isNaN(date.getTime()) || date.getFullYear() < 1 || date.getFullYear() > 9999) return value.iso ?? value.date;
    const two = (number) => String(number).padStart(2, "0");
    const day = `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
    const fraction = date.getMilliseconds() ? `.${String(date.getMilliseconds()).padStart(3, "0")}` : "";
    return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}${fraction}`;
}

/** What a store has in place of a date. @param {{date: string, iso: string?}} value */
export function rawDate(value) {
    return `${value.iso ?? "beyond all calendars"} · ${value.date} s since 2001`;
}

/** @param {{bytes: number, kind: string, width?: number, height?: number, color?: string, isExternal?: boolean, file?: string}} value */
export function dataTitle(value) {
    if (value.bytes === 0) return "No bytes";
    const place = value.isExternal && (value.file ? "external file" : "stored apart");
    return [value.color, kindTitle(value.kind), value.width && `${value.width} × ${value.height}`, size(value.bytes), place].filter(Boolean).join(" · ");
}

/** @param {number} bytes */
export function size(bytes) {
    if (bytes < 1000) return `${bytes} B`;
    const [number, unit] = bytes < 1e6 ? [bytes / 1e3, "KB"] : bytes < 1e9 ? [bytes / 1e6, "MB"] : [bytes / 1e9, "GB"];
    return `${number < 10 ? number.toFixed(1) : Math.round(number)} ${unit}`;
}
