import { h } from "../ui/view.js";
import { badge } from "../ui/icons.js";
import { checkField, selectField, textField } from "../ui/fields.js";
import { ancestors, entities, fittingInverses, worst } from "../model/queries.js";
import { attributeTypes, deleteRules, typeTitle } from "../model/types.js";
import { predicateField } from "../inspector/predicateField.js";
import { defaultField } from "../inspector/defaultField.js";
import { problemMark, propertyTable } from "./propertyTable.js";
import { modelText } from "../ui/text.js";
import { field } from "../inspector/binding.js";

/** An entity, or a composite, in table style. */
export function entityEditor(app, entity) {
    const isEntity = entity.kind === "entity";
    const above = isEntity ? ancestors(app.store, entity) : [];
    const inherited = (list) => above.map((parent) => ({ entity: parent, records: app.store.list(parent[list]) }));
    return h("div.editor-scroll", { key: entity.id }, head(app, entity, above),
        attributeTable(app, entity, isEntity ? inherited("attributes") : []),
        isEntity && relationshipTable(app, entity, inherited("relationships")),
        isEntity && fetchedPropertyTable(app, entity, inherited("fetchedProperties")));
}

function head(app, entity, above) {
    const severity = worst(app.store.problems.filter((problem) => problem.element === entity.id));
    return h("div.editor-head", { "data-selected": app.workspace.selection.includes(entity.id) ? "" : null }, badge(entity.kind),
        textField({
            ...field(app, entity, "name", `Name of ${entity.kind} ${entity.name}`), class: "title",
            commit: (name) => app.editing.rename(entity.id, name)
        }),
        severity && problemMark(app, entity, severity),
        entity.isAbstract && h("span.tag", null, "Abstract"),
        h("span.head-detail", null, above.length > 0 && ["inherits from ", above.map((parent, index) => [index > 0 && " → ",
            h(
                "button.link", { type: "button", key: parent.id, onclick: () => app.workspace.reveal(parent.id) },
                modelText(parent.name)
            )])]));
}

function nameColumn(app, title) {
    return {
        title, class: "name-column",
        cell: (record) => textField({
            ...field(
                app, record, "name", `Name of ${record.name}`
            ), commit: (name) => app.editing.rename(record.id, name),
        }),
    };
}

function optionalColumn(app) {
    return {
        title: "Optional", class: "check-column",
        cell: (record) => checkField({
            ...field(app, record, "isOptional", `${record.name} is optional`), hidesLabel: true
        }),
        text: (record) => (record.isOptional ? "✓" : ""),
    };
}

function attributeTable(app, entity, inherited) {
    return propertyTable(app, {
        title: entity.kind === "composite" ? "Elements" : "Attributes", owner: entity, list: "attributes", inherited,
        add: () => app.editing.addAttribute(entity.id), addTitle: entity.kind === "composite" ? "Add Element" : "Add Attribute",
        empty: "No attributes yet.",
        columns: [
            nameColumn(app, "Attribute"),
            {
                title: "Type", class: "type-column",
                cell: (record) => selectField({
                    ...field(app, record, "type", `Type of ${record.name}`), choices: attributeTypes
                }),
                text: (record) => typeTitle(record.type),
            },
            {
                title: "Default", class: "default-column",
                cell: (record) => defaultField(app, record, `Default of ${record.name}`),
                text: (record) => modelText(record.defaultValue ?? ""),
            },
            optionalColumn(app),
        ],
    });
}

function relationshipTable(app, entity, inherited) {
    const { store } = app;
    const choices = [[null, "None"], ...entities(store).map(({ id, name }) => [id, name])];
    return propertyTable(app, {
        title: "Relationships", owner: entity, list: "relationships", inherited,
        add: () => app.editing.addRelationship(entity.id), addTitle: "Add Relationship", empty: "No relationships yet.",
        columns: [
            nameColumn(app, "Relationship"),
            {
                title: "Destination",
                cell: (record) => selectField({
                    ...field(app, record, "destination", `Destination of ${record.name}`), choices,
                    placeholder: record.destinationName ?? "None"
                }),
                text: (record) => modelText(store.record(record.destination)?.name ?? record.destinationName ?? ""),
            },
            {
                title: "Inverse",
                cell: (record) => selectField({
                    ...field(app, record, "inverse", `Inverse of ${record.name}`),
                    choices: inverseChoices(store, record), placeholder: record.inverseName ?? "None"
                }),
                text: (record) => modelText(store.record(record.inverse)?.name ?? record.inverseName ?? ""),
            },
            {
                title: "Type", class: "count-column",
                cell: (record) => selectField({
                    ...field(app, record, "isToMany", `Cardinality of ${record.name}`),
                    choices: [[false, "To One"], [true, "To Many"]]
                }),
                text: (record) => (record.isToMany ? "To Many" : "To One"),
            },
            {
                title: "Delete Rule", class: "rule-column wide-only",
                cell: (record) => selectField({
                    ...field(app, record, "deleteRule", `Delete rule of ${record.name}`), choices: deleteRules
                }),
                text: (record) => new Map(deleteRules).get(record.deleteRule),
            },
            optionalColumn(app),
        ],
    });
}

/** The relationships that can be the inverse of one, and none. */
export function inverseChoices(store, record) {
    return [[null, "No Inverse"], ...fittingInverses(store, record).map(({ id, name, owner }) =>
        [id, owner === record.destination ? name : `${name} (${store.record(owner)?.name})`])];
}

function fetchedPropertyTable(app, entity, inherited) {
    const { store } = app;
    const choices = [[null, "None"], ...entities(store).map(({ id, name }) => [id, name])];
    return propertyTable(app, {
        title: "Fetched Properties", owner: entity, list: "fetchedProperties", inherited,
        add: () => app.editing.addFetchedProperty(entity.id), addTitle: "Add Fetched Property", empty: "No fetched properties.",
        columns: [
            nameColumn(app, "Fetched Property"),
            {
                title: "Destination",
                cell: (record) => selectField({
                    ...field(app, record, "destination", `Destination of ${record.name}`), choices,
                    placeholder: record.destinationName ?? "None"
                }),
                text: (record) => modelText(store.record(record.destination)?.name ?? record.destinationName ?? ""),
            },
            {
                title: "Predicate", class: "predicate-column",
                cell: (record) => predicateField(
                    app, record, "predicate",
                    {
                        label: `Predicate of ${record.name}`, use: "fetchedProperty", entity: record.destination,
                        source: entity.id
                    }
                ),
                text: (record) => h("code", null, modelText(record.predicate ?? "")),
            },
        ],
    });
}

