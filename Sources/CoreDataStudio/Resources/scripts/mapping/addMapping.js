import { selectField, textField } from "../ui/fields.js";
import { showDialog } from "../ui/dialogs.js";
import { h } from "../ui/view.js";

/** Asks for the entities of a new entity mapping, and adds it. @param {any} app @param {{source?: string|null, destination?: string|null}} [given] */
export async function addMapping(app, given = {}) {
    const { store, workspace } = app;
    const values = { source: given.source ?? unmapped(store), destination: given.destination ?? null, name: "" };
    values.destination ??= store.entity("destination", values.source)?.name ?? null;
    const row = (label, field) => h("div.dialog-field", { key: label }, h("span", { "aria-hidden": "true" }, label), field);
    const answer = await showDialog({
        title: "New Entity Mapping", body: (redraw) => {
            const set = (name) => (value) => { values[name] = value || null; redraw(); };
            const field = (side, label) => (store.models[side]
                ? selectField({ label, value: values[side], choices: choices(store, side), commit: set(side) })
                : textField({ label, value: values[side], commit: set(side) }));
            return [
                row("Source", field("source", "Source entity")), row("To", field("destination", "Destination entity")),
                row("Name", textField({ label: "Name", value: values.name, placeholder: placeholder(values), commit: set("name") })),
            ];
        },
        actions: [{ title: "Cancel", value: null }, { title: "Add", value: true, isDefault: true, isEnabled: () => Boolean(values.source || values.destination) }],
    });
    if (answer) await app.editing.add({ kind: "addEntityMapping", ...values, name: values.name || null }, workspace.showsInspector ? "name" : undefined);
}

function placeholder({ source, destination }) {
    return [source, destination].filter(Boolean).join("To");
}

/** The entities of a model as choices. */
export function choices(store, side, none = "None") {
    const entities = store.models[side]?.entities ?? [];
    return [[null, none], ...entities.map(({ name }) => [name, name])];
}

/** The first entity that no mapping reads. */
function unmapped(store) {
    const mapped = new Set(store.mappings.map(({ source }) => source));
    return store.models.source?.entities.find(({ name, isAbstract }) => !isAbstract && !mapped.has(name))?.name ?? null;
}
