import { bytes, get } from "../net/api.js";
import { sentence, visible } from "../ui/text.js";
import { h } from "../ui/view.js";
import { dataTitle, grouped } from "./cells.js";
import { isPicture, showPicture, valueName } from "./pictures.js";

const partSize = 64 * 1024;
/** What was read of the value that is shown; the key names the value as it was. @type {{title: string, key: string, style: string, bytes: Uint8Array?, tree: any, error: string?}} */
let reading = { title: "", key: "", style: "", bytes: null, tree: null, error: null };

/** One value as a whole: as text, as a tree, as a picture, or byte by byte. */
export function valueView(app) {
    const { object, property, value } = app.data.viewed;
    const title = `${object}.${property.name}`;
    const key = valueName(object, property.name, value);
    const styles = stylesOf(value);
    if (reading.key !== key) {
        const style = reading.title === title && styles.includes(reading.style) ? reading.style : styles[0];
        reading = { title, key, style, bytes: null, tree: null, error: null };
        queueMicrotask(() => read(app, style));
    }
    return h("div.value-view", { key: title },
        h("div.panel-tools", null, h("span.file-name", null, visible(title)), h("span.quiet", null, "bytes" in value ? dataTitle(value) : `${grouped(value.length)} characters`),
            h("div.spacer"), h("div.segments", { role: "group", "aria-label": "How the value is shown" }, styles.map((style) => h("button.segment", {
                type: "button", key: style, id: `value-${style}`, "aria-pressed": String(style === reading.style), onclick: () => read(app, style),
            }, { tree: "Tree", picture: "Picture", text: "Text", hex: "Bytes" }[style])))),
        reading.error ? h("p.empty", { role: "alert", key: "error" }, sentence(reading.error)) : content(app, object, property, value));
}

/** What a value can be shown as, the best first. */
function stylesOf(value) {
    if (!("bytes" in value)) return ["text", "hex"];
    const isTree = value.kind === "propertyList" || value.kind === "xml";
    // An SVG picture can run scripts: its text is shown.
    const isText = ["text", "json", "xml", "svg"].includes(value.kind);
    return [isTree && value.kind !== "xml" && "tree", isPicture(value) && "picture", isText && "text", value.kind === "xml" && "tree", "hex"].filter(Boolean);
}

async function read(app, style) {
    const { object, property } = app.data.viewed;
    const { key } = reading;
    reading = { ...reading, style, error: null };
    app.data.changed();
    try {
        if (style === "tree" && !reading.tree) {
            const { tree } = await get("store/tree", { object, key: property.name });
            if (reading.key === key) reading = { ...reading, tree: { root: tree } };
        } else if ((style === "text" || style === "hex") && !reading.bytes) await more(app);
    } catch (error) {
        if (reading.key === key) reading = { ...reading, error: error.message };
    }
    app.data.changed();
}

/** Reads the next part of the bytes. */
async function more(app) {
    const { object, property } = app.data.viewed;
    const { key, bytes: known } = reading;
    const part = await bytes("store/bytes", { object, key: property.name, from: known?.length ?? 0, count: partSize });
    if (reading.key !== key) return;
    const all = new Uint8Array((known?.length ?? 0) + part.length);
    all.set(known ?? []);
    all.set(part, known?.length ?? 0);
    reading = { ...reading, bytes: all, isWhole: part.length < partSize };
    app.data.changed();
}

function content(app, object, property, value) {
    const { style } = reading;
    if (style === "picture") {
        return h("img.picture", { key: reading.key, alt: `${property.name} of ${object}`, ref: (element) => showPicture(element, object, property.name, value) });
    }
    if (style === "tree") return reading.tree ? h("div.tree", { key: "tree", id: "tree" }, branch(null, reading.tree.root)) : h("p.empty", { role: "status" }, "Reading…");
    if (!reading.bytes) return h("p.empty", { role: "status" }, "Reading…");
    const text = style === "hex" ? hex(reading.bytes) : visible(new TextDecoder().decode(reading.bytes));
    return [h("pre.code-view", { key: style, class: style === "hex" ? "bytes" : "", id: "value-content" }, text),
        !reading.isWhole && h("button.button.small", { key: "more", type: "button", onclick: () => more(app) }, h("span", null, "Show more"))];
}

/** Lines of sixteen bytes, with their place before and their characters behind. */
function hex(data) {
    const lines = [];
    for (let place = 0; place < data.length; place += 16) {
        const part = [...data.subarray(place, place + 16)];
        const digits = part.map((byte) => byte.toString(16).padStart(2, "0")).join(" ").padEnd(47);
        const letters = part.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "·")).join("");
        lines.push(`${place.toString(16).padStart(8, "0")}  ${digits}  ${letters}`);
    }
    return lines.join("\n");
}

/** A value of a property list, and what is inside of it. */
function branch(name, value) {
    const label = name === null ? null : h("span.tree-name", null, visible(name));
    if (value === null || typeof value !== "object") return h("div.tree-leaf", { key: name }, label, h("span", { class: `tree-${typeof value}` }, visible(String(value))));
    const isList = Array.isArray(value);
    const entries = isList ? value.map((each, index) => [String(index), each]) : Object.entries(value);
    const title = isList ? `${entries.length} ${entries.length === 1 ? "item" : "items"}` : value.$class ?? `${entries.length} ${entries.length === 1 ? "key" : "keys"}`;
    return h("details.tree-branch", { key: name, ref: (element) => { element.open = name === null || entries.length <= 20; } }, h("summary", null, label, h("span.quiet", null, visible(title))),
        entries.filter(([key]) => key !== "$class").map(([key, each]) => branch(key, each)));
}

