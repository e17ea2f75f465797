import { button } from "../ui/fields.js";
import { folding } from "../ui/folding.js";
import { badge, icon } from "../ui/icons.js";
import { h } from "../ui/view.js";
import { checkRow, row, selectRow, textRow } from "../inspector/rows.js";
import { choices } from "./addMapping.js";
import { expressionField } from "./expression.js";
import { problemList } from "./problems.js";

const titles = { mappingModel: "Mapping Model", entityMapping: "Entity Mapping", attributeMapping: "Attribute Mapping", relationshipMapping: "Relationship Mapping" };
const groupsOfKind = { mappingModel: modelGroups, entityMapping: entityGroups, attributeMapping: propertyGroups, relationshipMapping: propertyGroups };

/** Everything that can be said of the selected element. */
export function inspector(app) {
    const { workspace, store } = app;
    const record = workspace.selected;
    const problems = store.problems.filter((problem) => problem.element === record?.id);
    return h("aside.inspector", { "aria-label": "Inspector", hidden: !workspace.showsInspector, key: "inspector" },
        record && h("div.inspector-scroll", { key: record.id },
            h("header.inspector-head", null, picture(record), h("h2", null, titles[record.kind])),
            problems.length > 0 && h("section.inspector-problems", { "aria-label": "Problems of this element" }, problemList(app, problems, { isShort: true })),
            groupsOfKind[record.kind](app, record).map((group) => folding("details.group", {
                key: group.title, isOpen: !app.closedGroups.has(group.title),
                folded: (isOpen) => (isOpen ? app.closedGroups.delete(group.title) : app.closedGroups.add(group.title)),
            }, h("h3", null, group.title), h("div.group-rows", null, group.rows)))));
}

function picture(record) {
    if (record.kind === "mappingModel") return icon("compare");
    return badge({ entityMapping: "entity", attributeMapping: "attribute", relationshipMapping: "relationship" }[record.kind]);
}

function modelGroups(app, record) {
    const all = app.store.models.choices;
    const model = (name, label) => (all.length
        ? selectRow(app, record, name, label, all.map((path) => [path, shortPath(path)]), { placeholder: record[name] ? shortPath(record[name]) : "None", help: record[name] })
        : textRow(app, record, name, label, { placeholder: "League.xcdatamodeld/League 2.xcdatamodel" }));
    return [{ title: "Models", rows: [model("sourceModel", "Source"), model("destinationModel", "Destination"),
        h("p.quiet", { key: "help" }, "The models are looked for where the paths say, beside the mapping model, and among the models that the studio was started with.")] }];
}

/** `League.xcdatamodeld/League 2.xcdatamodel` as `League 2`. */
function shortPath(path) {
    return path.split("/").at(-1).replace(/\.xcdatamodel$/u, "");
}

const types = ["Undefined", "Custom", "Add", "Remove", "Copy", "Transform"].map((type) => [type, type === "Undefined" ? "By the entities" : type]);

function entityGroups(app, record) {
    const { store, editing, commands } = app;
    const entity = (side, label) => (store.models[side]
        ? selectRow(app, record, side, label, choices(store, side), { placeholder: record[side] }) : textRow(app, record, side, label));
    return [
        {
            title: "Entity Mapping", rows: [
                textRow(app, record, "name", "Name", { rename: true }), entity("source", "Source"), entity("destination", "Destination"),
                selectRow(app, record, "type", "Type", types),
                textRow(app, record, "policy", "Policy", { placeholder: "NSEntityMigrationPolicy", help: "The class of the migration policy, which the app has" }),
                checkRow(app, record, "generates", "Xcode keeps the expressions up to date"),
            ],
        },
        {
            title: "Source Objects", rows: [row("Filter", expressionField(app, record, "filter", { label: "Filter", rows: 2, placeholder: "All objects", place: "inspector" }))],
        },
        {
            title: "Edit", rows: [h("div.map-actions", { key: "actions" },
                button({ title: "Add Missing Properties", class: "small", action: () => commands.run("addMissing") }),
                button({ title: "Duplicate", class: "small", id: "duplicate", action: () => commands.run("duplicate") }),
                button({ title: "Move Up", class: "small", action: () => editing.shift(record.id, -1), disabled: store.root.mappings[0] === record.id }),
                button({ title: "Move Down", class: "small", action: () => editing.shift(record.id, 1), disabled: store.root.mappings.at(-1) === record.id }),
                button({ title: "Delete", class: "small destructive", id: "delete-mapping", action: () => editing.delete(record) }))],
        },
    ];
}

function propertyGroups(app, record) {
    const { store, editing } = app;
    const owner = store.record(record.owner);
    const isRelationship = record.kind === "relationshipMapping";
    const kind = isRelationship ? "relationship" : "attribute";
    const names = store.entity("destination", owner?.destination)?.properties.filter((property) => property.kind === kind).map(({ name }) => [name, name]);
    const groups = [{
        title: "Property Mapping", rows: [
            names ? selectRow(app, record, "name", "Property", names, { placeholder: record.name }) : textRow(app, record, "name", "Property"),
            row("Value", expressionField(app, record, "expression", { label: "Value", rows: 4, placeholder: record.implied ?? "No value", place: "inspector" })),
            record.expression && button({ title: "Clear", class: "small", key: "clear", id: "clear-expression", action: () => editing.set(record.id, { expression: null }) }),
        ],
    }];
    if (isRelationship) groups.push({
        title: "Destinations", rows: [
            checkRow(app, record, "generates", "Make the expression from what follows"),
            selectRow(app, record, "sourceMapping", "Mapping", [[null, "By the entities"], ...store.mappings.map(({ name }) => [name, name])], { placeholder: record.sourceMapping }),
            textRow(app, record, "sourceKeyPath", "Key Path", { placeholder: `$source.${record.name}` }),
            button({ title: "Write Expression", class: "small", key: "generate", id: "generate", action: () => store.perform([{ kind: "generate", element: record.id }]) }),
        ],
    });
    return groups;
}
