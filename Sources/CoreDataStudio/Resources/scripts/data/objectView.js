import { iconButton } from "../ui/fields.js";
import { badge, icon } from "../ui/icons.js";
import { modelText, sentence, visible } from "../ui/text.js";
import { h } from "../ui/view.js";
import { dataTitle, grouped, localDate, rawDate, shown } from "./cells.js";
import { editorOf, problemsOf } from "./editing/valueFields.js";
import { isNew } from "./editing/picker.js";
import { isPicture, showPicture, valueName } from "./pictures.js";
import { askToOpen, colorOf, swatch, webAddress } from "./valueMarks.js";

/** The inspector: everything that the active row's object holds, those properties included that only its own entity has. */
export function objectView(app) {
    const { data } = app;
    const { object } = data;
    // What is typed while another object is on its way would change this one.
    const isOutgoing = Boolean(object && data.inspected && data.renamed(object.id) !== data.inspected);
    return h("aside.inspector.object", { "aria-label": "Object", hidden: !data.showsInspector || !data.source, key: "inspector" },
        h("div.inspector-scroll", { key: object?.id ?? "none", inert: isOutgoing }, object
            ? [head(app, object), object.error && h("p.empty", { role: "alert" }, sentence(object.error)),
                group(app, object, "Attributes", (value) => value.kind === "attribute"),
                group(app, object, "Relationships", (value) => value.kind !== "attribute")]
            : h("p.empty", null, "Choose a row to see its object.")));
}

function head({ data }, object) {
    const { hasHistory } = data.schema;
    return h("header.inspector-head", { key: "head" }, badge("entity"), h("div.object-names", null, h("h2", null, modelText(object.title ?? object.entity ?? "")),
        h("span.quiet", { id: "object-id" }, isNew(object.id) ? "new, not saved" : object.id)), h("div.spacer"),
    !object.error && iconButton({ title: "Tree", icon: icon("tree"), id: "object-tree-open", action: () => data.showTree(object) }),
    !object.error && iconButton({ title: "Neighbourhood", icon: icon("neighbours"), id: "object-neighbourhood", action: () => data.showNeighbourhood(object) }),
    hasHistory && iconButton({ title: "History of this object", icon: icon("history"), id: "object-history", action: () => data.openHistory(object.id) }),
    hasHistory && !isNew(object.id) && iconButton({ title: "This object in the past", icon: icon("past"), id: "object-past", action: () => data.openPast(object.id) }));
}

function group(app, object, title, isMember) {
    const values = object.values.filter(isMember);
    return values.length > 0 && h("section.group", { key: title, "aria-label": title }, h("h3.group-title", null, title),
        h("dl.values", null, values.map((property) => h("div.value-row", { key: property.name, class: object.changed?.includes(property.name) ? "changed" : "" }, h("dt", { title: property.type ?? property.destination }, modelText(property.name)),
            h("dd", null, value(app, object, property))))));
}

/** The value, or what it is changed with. A text field shows what it changes. */
function value(app, object, property) {
    const editor = editorOf(app, object, property);
    const isField = editor && property.kind === "attribute" && !(property.value && typeof property.value === "object" && "length" in property.value) && !["binary", "transformable"].includes(property.type);
    const marks = isField ? valueLine(property.value, null) : valueContent(app, object, property);
    return [marks, editor, problemsOf(object, property.name)];
}

/** What a value shows, where it is not edited: also as links to other objects. */
export function valueContent(app, object, property) {
    const { value } = property;
    if (value === null || value === undefined) return h("span.no-value", null, "–");
    if (property.kind === "toOne") return link(value.title ?? value.id, () => app.data.openObject(value.id, `${property.name}: ${value.title ?? value.id}`));
    if (property.kind === "toMany") return members(app, object, property);
    if (typeof value === "boolean") return String(value);
    if (typeof value === "string") return value === "" ? h("span.no-value", null, "“”") : valueLine(value, h("span.value-text", null, visible(value)));
    if ("date" in value) return [h("span", null, localDate(value)), h("span.raw", null, rawDate(value))];
    if ("bytes" in value) return blob(app, object, property);
    if ("missingFile" in value) return [h("span.missing", { key: "missing" }, shown(value, property).text), h("span.raw", { key: "file" }, value.missingFile)];
    return [h("span.value-text", null, `${visible(value.text)}…`), link(`Show all ${grouped(value.length)} characters`, () => app.data.view(object.id, property, value))];
}

/** A value with its colour before it, and a button for its link behind it. @param {any} value @param {any} text */
function valueLine(value, text) {
    const [color, address] = [colorOf(value), webAddress(value)];
    return [
        color ? h("span.colored", { key: "colored" }, swatch(color), text) : text,
        address && h("button.link", { key: "open-link", type: "button", "aria-label": `Open the link to ${visible(address.host)}`, onclick: () => askToOpen(address) }, "Open Link…"),
    ];
}

function link(text, action) {
    return h("button.link", { type: "button", onclick: action }, modelText(text));
}

function members(app, object, property) {
    const { count } = property.value;
    if (!count) return h("span.no-value", null, "0");
    const words = `${grouped(count)} ${count === 1 ? "object" : "objects"} of ${property.destination}${property.isOrdered ? ", in order" : ""}`;
    return link(words, () => app.data.openMembers(object.id, property, `${property.name} of ${object.title ?? object.id}`));
}

function blob(app, object, property) {
    const { value } = property;
    return [
        isPicture(value) && h("img.preview", {
            key: valueName(object.id, property.name, value), alt: `${property.name} of ${object.id}`,
            ref: (element) => showPicture(element, object.id, property.name, value),
        }),
        h("span.colored", { key: "title" }, colorOf(value) && swatch(colorOf(value)), h("span", null, dataTitle(value))),
        value.file && h("span.raw", { key: "file" }, value.file),
        value.bytes > 0 && h("button.link", { key: "show", type: "button", onclick: () => app.data.view(object.id, property, value) }, "Show"),
    ];
}
