import { iconButton } from "../ui/fields.js";
import { badge, icon } from "../ui/icons.js";
import { modelText, sentence } from "../ui/text.js";
import { h } from "../ui/view.js";
import { expressionField } from "./expression.js";

/** What makes up each property of the objects that the shown mapping makes. */
export function propertyTable(app) {
    const { store, workspace, commands } = app;
    const mapping = workspace.entityMapping;
    if (!mapping) return h("div.editor-scroll", { key: "table" }, h("p.empty", null, store.mappings.length ? "Choose an entity mapping." : "There are no entity mappings."));
    const rows = rowsOf(store, mapping);
    return h("div.editor-scroll", { key: "table" },
        h("header.editor-head", null, badge("entity"), h("h2.title", { id: "mapping-name" }, modelText(mapping.name)),
            h("span.head-detail", null, modelText(mapping.source ?? "nothing"), " → ", modelText(mapping.destination ?? "nothing"))),
        h("section.properties", { "aria-label": "Property mappings", "data-list": "propertyMappings" },
            h("header.section-head", null, h("h2", null, "Property Mappings"), h("span.count", null, rows.length || ""),
                iconButton({ title: "Add Missing Properties", icon: icon("add"), id: "add-missing", action: () => commands.run("addMissing") })),
            rows.length === 0 ? h("p.empty", null, mapping.destination ? "The destination has no properties." : "The objects are left behind: nothing is made of them.")
                : h("div.table-scroll", null, h("table", null,
                    h("thead", null, h("tr", null, h("th.name-column", { scope: "col" }, "Property"), h("th.map-type-column", { scope: "col" }, "Type"),
                        h("th", { scope: "col" }, "Value"), h("th.tools-column", { scope: "col" }, h("span.unseen", null, "Delete")))),
                    h("tbody", null, rows.map((row) => propertyRow(app, mapping, row)))))));
}

/** The properties of the destination entity with their mappings, and mappings of properties that it does not have. */
function rowsOf(store, mapping) {
    const records = store.list(mapping.properties);
    const known = store.entity("destination", mapping.destination)?.properties ?? [];
    const rows = known.map((property) => ({ property, record: records.find(({ name }) => name === property.name) ?? null }));
    const others = records.filter((record) => !rows.some((row) => row.record === record));
    return [...rows, ...others.map((record) => ({ property: { name: record.name, kind: record.kind.replace("Mapping", ""), type: "" }, record }))];
}

function propertyRow(app, mapping, { property, record }) {
    const { store, workspace, editing } = app;
    const shown = record ?? { id: `${mapping.id}/${property.name}`, name: property.name, expression: null };
    const problems = store.problems.filter((problem) => ["error", "warning"].includes(problem.severity)
        && (problem.element === shown.id || (!record && isAbout(problem, mapping, property))));
    return h("tr", {
        key: property.name, "data-row": shown.id, "data-name": property.name, "data-selected": record && workspace.selected?.id === record.id ? "" : null,
        onfocusin: () => record && workspace.selected?.id !== record.id && workspace.select(record.id),
        onclick: () => record && workspace.selected?.id !== record.id && workspace.select(record.id),
        onkeydown: (event) => step(event),
    },
    h("td", null, h("div.name-cell", null, badge(property.kind), h("span.map-name", { class: property.isOptional === false ? "required" : "" }, modelText(property.name)))),
    h("td.text-cell", null, modelText(property.type)),
    h("td", null, expressionField(app, shown, "expression", { label: `Value of ${property.name}`, placeholder: placeholder(record), place: "table" }),
        problems.map((problem, index) => h("p", { key: `${problem.code} ${index}`, class: problem.severity === "error" ? "field-error" : "field-warning" }, sentence(problem.message)))),
    h("td.tools-column", null, record && iconButton({
        title: `Delete the mapping of ${property.name}`, icon: icon("remove"), class: "row-tool", action: () => editing.delete(record),
    })));
}

/** Whether a problem of an entity mapping is that a property has no mapping. */
function isAbout(problem, mapping, property) {
    return problem.element === mapping.id && problem.fixes.some(({ action }) => action.kind === "addPropertyMapping" && action.name === property.name);
}

/** What holds where there is no expression. */
function placeholder(record) {
    if (!record) return "Not mapped";
    if (record.isDamaged) return "An expression that can't be read";
    return record.implied ?? "No value";
}

/** Up and Down from a field's only line go to the row above or below. */
function step(event) {
    const distance = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!distance || event.defaultPrevented || !event.altKey) return;
    const rows = [...event.currentTarget.parentElement.children];
    rows[rows.indexOf(event.currentTarget) + distance]?.querySelector("textarea")?.focus();
    event.preventDefault();
}
