import { badge } from "../ui/icons.js";
import { modelText, plainText } from "../ui/text.js";
import { h } from "../ui/view.js";
import { addMapping } from "./addMapping.js";
import { clickable, draggable } from "./dragging.js";

/** The heights of what stands in a column, as the styles have them. */
const head = 30;
const row = 22;
const gap = 8;

/** Both models as columns of entities, with a line for each mapping, and for each property of the one that is shown. */
export function columns(app) {
    const sides = { source: side(app, "source"), destination: side(app, "destination") };
    const height = Math.max(sides.source.height, sides.destination.height);
    return h("div.map-columns", { key: "columns", role: "group", "aria-label": "Entities and their mappings", onkeydown: (event) => walk(event) },
        column(app, "source", sides.source), drawing(app, sides, height), column(app, "destination", sides.destination));
}

/** The entities of one side, each with its place; those of the mapping that is shown have their properties. */
function side(app, name) {
    const { store, workspace } = app;
    const shown = workspace.entityMapping;
    const known = store.models[name]?.entities ?? [...new Set(store.mappings.map((mapping) => mapping[name]).filter(Boolean))]
        .sort().map((entity) => ({ name: entity, isAbstract: false, properties: [] }));
    let y = gap;
    const entities = known.map((entity) => {
        const isOpen = shown?.[name] === entity.name;
        const properties = isOpen ? propertiesOf(store, shown, name, entity) : [];
        const place = { ...entity, properties, isOpen, y };
        y += head + properties.length * row + (isOpen ? 6 : 0) + gap;
        return place;
    });
    return { entities, height: y };
}

function propertiesOf(store, mapping, name, entity) {
    if (store.models[name] || name === "source") return entity.properties;
    return store.list(mapping.properties).map((record) => ({ name: record.name, kind: record.kind.replace("Mapping", ""), type: "" }));
}

function column(app, name, { entities }) {
    const title = name === "source" ? "Source" : "Destination";
    const { store } = app;
    const current = app.workspace.entityMapping?.[name];
    const first = entities.some((entity) => entity.name === current) ? current : entities[0]?.name;
    return h("section.map-column", { class: name, "aria-label": title, key: name },
        h("h2.map-title", null, title, h("span.quiet", null, store.models[name] ? modelText(` ${store.models[name].name}`) : "")),
        entities.length > 0 && h("ul.map-entities", { role: "list" }, entities.map((entity) => h("li.map-entity", {
            key: entity.name, class: [entity.isOpen ? "open" : "", mappingsOf(store, name, entity.name).length ? "mapped" : "free"].join(" "),
        }, entityHead(app, name, entity, entity.name === first),
        entity.isOpen && entity.properties.length > 0 && h("ul.map-rows", { role: "list" }, entity.properties.map((property) => h(
            "li.map-row", { key: property.name, "data-property": property.name, "data-kind": property.kind, ...(name === "source" ? draggable(app, property) : clickable(property)) }, badge(property.kind), h("span.map-name", null, modelText(property.name)),
            h("span.map-type", null, modelText(property.type))
        )))))));
}

function mappingsOf(store, name, entity) {
    return store.mappings.filter((mapping) => mapping[name] === entity);
}

function entityHead(app, name, entity, isFirst) {
    const own = mappingsOf(app.store, name, entity.name);
    const others = own.map((mapping) => mapping[name === "source" ? "destination" : "source"]);
    return h("button.map-head", {
        type: "button", "data-entity": entity.name, tabindex: isFirst ? "0" : "-1", "aria-pressed": String(entity.isOpen),
        "aria-label": plainText(`${entity.name}, ${own.length ? `${name === "source" ? "to" : "from"} ${others.map((other) => other ?? "nothing").join(", ")}` : "not mapped"}`),
        onclick: () => choose(app, name, entity.name, own),
    }, badge("entity"), h("span.map-name", { class: entity.isAbstract ? "abstract" : "" }, modelText(entity.name)),
    own.length === 0 && !entity.isAbstract && h("span.map-type", null, "not mapped"));
}

/** Shows the mapping of an entity, of several one after the other; where there is none, one can be added. */
function choose(app, name, entity, own) {
    if (own.length === 0) return addMapping(app, { [name]: entity });
    const at = own.findIndex((mapping) => mapping.id === app.workspace.entityMapping?.id);
    app.workspace.select(own[(at + 1) % own.length].id);
}

// MARK: Lines

function drawing(app, sides, height) {
    return h("svg.map-lines", { key: "lines", "aria-hidden": "true", viewBox: `0 0 100 ${height}`, height, width: "100%", preserveAspectRatio: "none" },
        app.store.mappings.map((mapping) => entityLine(app, mapping, sides)), propertyLines(app, sides));
}

function curve(from, to) {
    return `M0,${from} C45,${from} 55,${to} 100,${to}`;
}

function entityLine(app, mapping, { source, destination }) {
    const middle = ({ entities }, name) => {
        const entity = entities.find((each) => each.name === name);
        return entity ? entity.y + head / 2 : null;
    };
    const [from, to] = [middle(source, mapping.source), middle(destination, mapping.destination)];
    const shown = app.workspace.entityMapping?.id === mapping.id;
    const line = from !== null && to !== null ? curve(from, to) : from !== null ? `M0,${from} H30` : to !== null ? `M70,${to} H100` : null;
    return line && h("path.map-line", { key: mapping.id, d: line, class: [shown ? "shown" : "", from === null || to === null ? "half" : ""].join(" ") });
}

/** A line from each source property that an expression names. */
function propertyLines({ store, workspace }, { source, destination }) {
    const mapping = workspace.entityMapping;
    const from = source.entities.find((entity) => entity.isOpen);
    const to = destination.entities.find((entity) => entity.isOpen);
    if (!mapping || !from || !to) return [];
    const place = (entity, name) => {
        const index = entity.properties.findIndex((property) => property.name === name);
        return index < 0 ? null : entity.y + head + 3 + (index + 0.5) * row;
    };
    return store.list(mapping.properties).flatMap((record) => namesIn(record.expression ?? record.implied).map((name) => {
        const [start, end] = [place(from, name), place(to, record.name)];
        const isChosen = workspace.selected?.id === record.id;
        return start !== null && end !== null && h("path.map-line.property", { key: `${record.id} ${name}`, d: curve(start, end), class: isChosen ? "chosen" : "" });
    }));
}

/** The properties of the source object that an expression names. @param {string?} expression */
export function namesIn(expression) {
    const names = [...(expression ?? "").matchAll(/\$source\.([\p{L}_][\p{L}\p{N}_]*)/gu)].map(([, name]) => name);
    return [...new Set(names)];
}

// MARK: Keys

/** Up and Down walk in a column, Left and Right to the other one. */
function walk(event) {
    const at = event.target.closest(".map-head");
    if (!at || !["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"].includes(event.key)) return;
    const own = at.closest(".map-column");
    const heads = [...own.querySelectorAll(".map-head")];
    const index = heads.indexOf(at);
    const other = own.parentElement.querySelector(event.key === "ArrowLeft" ? ".map-column.source" : ".map-column.destination");
    const next = event.key === "ArrowDown" ? heads[index + 1] : event.key === "ArrowUp" ? heads[index - 1]
        : other === own ? null : other.querySelector(".map-head[aria-pressed=true]") ?? other.querySelector(".map-head");
    next?.focus();
    event.preventDefault();
}
