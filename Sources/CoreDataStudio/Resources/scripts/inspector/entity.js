import { h } from "../ui/view.js";
import { icon } from "../ui/icons.js";
import { iconButton, selectField, textField } from "../ui/fields.js";
import { ancestors, entities, inherits, properties } from "../model/queries.js";
import { attributeTypes, codeGenerations } from "../model/types.js";
import { field } from "./binding.js";
import { predicateField } from "./predicateField.js";
import { addButton, checkRow, row, selectRow, textRow, userInfoGroup, versioningGroup } from "./rows.js";

/** Everything about an entity. */
export function entityGroups(app, record) {
    const { store } = app;
    const parents = entities(store).filter((other) => !inherits(store, other, record.id));
    return [
        {
            title: "Entity", rows: [
                textRow(app, record, "name", "Name", { rename: true }),
                selectRow(
                    app, record, "parent", "Parent Entity",
                    [[null, "No Parent Entity"], ...parents.map(({ id, name }) => [id, name])],
                    { placeholder: record.parentName }
                ),
                checkRow(app, record, "isAbstract", "Abstract Entity"),
            ],
        },
        {
            title: "Class", rows: [
                textRow(app, record, "className", "Name", { placeholder: "NSManagedObject" }),
                selectRow(app, record, "module", "Module", modules(record)),
                row(
                    "Other Module",
                    textField({
                        ...field(app, record, "module", "Other Module"),
                        value: ["", "."].includes(record.module ?? "") ? "" : record.module,
                        commit: (text) => app.editing.set(record.id, { module: text })
                    })
                ),
                selectRow(app, record, "codeGeneration", "Codegen", codeGenerations),
            ],
        },
        constraintsGroup(app, record),
        indexesGroup(app, record),
        {
            title: "Spotlight", rows: [row("Display Name", predicateField(app, record, "spotlightExpression", {
                place: "inspector",
                label: "Spotlight display name expression", use: "spotlight", entity: record.id,
            })), checkRow(app, record, "isSyncable", "Syncable")],
        },
        userInfoGroup(app, record),
        versioningGroup(app, record),
    ];
}

function modules({ module }) {
    const known = [["", "Global namespace"], [".", "Current Product Module"]];
    return module && module !== "." ? [...known, [module, module]] : known;
}

/** Lists of properties. Their values together are unique. */
function constraintsGroup(app, record) {
    const constraints = app.store.list(record.constraints);
    return {
        title: "Constraints", rows: [
            ...constraints.map((constraint) => h("div.pair", { key: constraint.id },
                textField({
                    ...field(
                        app, constraint, "names", "Constraint"
                    ), value: constraint.names.join(","), list: "property-names",
                    commit: (text) => app.editing.set(constraint.id, { names: split(text) }),
                    check: (text) => app.editing.refusal(constraint.id, { names: split(text) }),
                }),
                iconButton({
                    title: `Delete constraint ${constraint.names.join(",")}`, icon: icon("remove"),
                    action: () => remove(app, constraint.id)
                }))),
            addButton("Add Constraint", async () => {
                const first = app.store.list(record.attributes)[0]?.name ?? "property";
                const update = await app.store.perform([{ kind: "addConstraint", entity: record.id, names: [first] }]);
                if (update?.created?.[0]) app.workspace.set({ wantedFocus: {
                    element: update.created[0], field: "names"
                } });
            }),
            h(
                "datalist", { id: "property-names", key: "names" },
                names(app, record).map((name) => h("option", { value: name, key: name }))
            ),
        ],
    };
}

function split(text) {
    return text.split(",").map((name) => name.trim()).filter(Boolean);
}

function allProperties(app, record) {
    return [record, ...ancestors(app.store, record)].flatMap((entity) => properties(app.store, entity));
}

function names(app, record) {
    return allProperties(app, record).map(({ name }) => name);
}

function indexesGroup(app, record) {
    return {
        title: "Fetch Indexes", rows: [
            ...app.store.list(record.indexes).map((index) => h("div.card", { key: index.id },
                h("div.pair", null, textField({
                    ...field(app, index, "name", `Name of index ${index.name}`),
                    commit: (text) => app.editing.rename(index.id, text)
                }),
                    iconButton({
                        title: `Delete index ${index.name}`, icon: icon("remove"), action: () => remove(app, index.id)
                    })),
                app.store.list(index.elements).map((element) => indexElement(app, record, element)),
                addButton(
                    "Add Element",
                    () => app.store.perform([{
                        kind: "addIndexElement", index: index.id, property: names(app, record)[0] ?? ""
                    }])
                ),
                addButton(
                    "Add Expression",
                    () => app.store.perform([{
                        kind: "addIndexElement", index: index.id, expression: names(app, record)[0] ?? "1",
                        expressionType: "string"
                    }])
                ))),
            addButton("Add Index", async () => {
                const update = await app.store.perform([{ kind: "addIndex", entity: record.id }]);
                if (update?.created?.[0]) app.workspace.set({ wantedFocus: {
                    element: update.created[0], field: "name"
                } });
            }),
        ],
    };
}

function indexElement(app, record, element) {
    const choices = allProperties(app, record).map(({ id, name }) => [id, name]);
    return h("div.index-element", { key: element.id },
        element.expression === null || element.expression === undefined
            ? selectField({
                ...field(app, element, "property", "Indexed property"), choices,
                placeholder: element.propertyName ?? "None"
            })
            : [predicateField(
                app, element, "expression",
                { place: "inspector", label: "Indexed expression", use: "index", entity: record.id }
            ),
                selectField({
                    ...field(app, element, "expressionType", "Type of the expression"), choices: attributeTypes
                })],
        selectField({
            ...field(app, element, "collation", "Index type"), choices: [["binary", "Binary"], ["rTree", "R-Tree"]]
        }),
        selectField({
            ...field(app, element, "isAscending", "Order"), choices: [[true, "↑ Ascending"], [false, "↓ Descending"]]
        }),
        iconButton({ title: "Delete index element", icon: icon("remove"), action: () => remove(app, element.id) }));
}

function remove(app, id) {
    return app.store.perform([{ kind: "delete", elements: [id] }]);
}
