import { localDate } from "../cells.js";

const typed = new Set(["integer16", "integer32", "integer64", "decimal", "double", "float", "string", "boolean", "date", "uuid", "uri"]);

/** Whether a person can type values of a property. @param {import("../columns.js").Property & {isDerived?: boolean}} property */
export function canType(property) {
    return property.kind === "attribute" && typed.has(property.type) && !property.isDerived;
}

/** Whether the value of a property comes from a file. */
export function takesFile(property) {
    return property.kind === "attribute" && ["binary", "transformable"].includes(property.type);
}

/** The value as one types it. @param {any} value What the server sent. */
export function typedText(value) {
    if (value === null || value === undefined) return "";
    if (typeof value === "object") return "date" in value ? localDate(value) : value.text ?? "";
    return String(value);
}

/** Whether the page has the beginning of the text alone. */
export function isCut(value) {
    return typeof value === "object" && value !== null && "length" in value;
}

/** What is sent for a text that was typed. Only of strings the empty text is a value. */
export function typedValue(text, property) {
    if (property.type === "string") return text;
    const trimmed = text.trim();
    if (trimmed === "") return null;
    return property.type === "date" ? isoDate(trimmed) : trimmed;
}

const local = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?)?$/u;

/** A date by the clock of this computer, in UTC. What is written otherwise stays as it is: the server reads ISO 8601. */
function isoDate(text) {
    const parts = local.exec(text);
    if (!parts) return text;
    const [year, month, day, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map((part) => (part === undefined ? undefined : Number(part)));
    if (!isDay(year, month, day) || hour > 23 || minute > 59 || second > 59) return text;
    // The constructor takes the years up to 99 for others, so the parts are set. A time that a change of the clocks
    // leaves out becomes the one an hour later.
    const date = new Date(2000, 0, 1);
    date.setFullYear(year, month - 1, day);
    date.setHours(hour, minute, second, Number((parts[7] ?? "0").padEnd(3, "0")));
    return date.toISOString();
}

function isDay(year, month, day) {
    const date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
