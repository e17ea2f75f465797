import { client, get, post } from "../net/api.js";
import { button } from "../ui/fields.js";
import { icon } from "../ui/icons.js";
import { h } from "../ui/view.js";

/**
 * The fetch indexes that would help, each with a button that adds it to the model beside the store.
 *
 * @param {any} app @param {{entity: string, elements: {property: string, isAscending: boolean}[]}[]} indexes
 */
export function proposedIndexes(app, indexes) {
    if (!app.data.schema.hasModel || indexes.length === 0) return null;
    return h("div.statement-part", { key: "indexes" }, indexes.map((index) => {
        const names = index.elements.map(({ property, isAscending }) => property + (isAscending ? "" : " (descending)")).join(", ");
        return button({
            key: names, title: `Add the Index over ${names} to ${index.entity}`, icon: icon("add"), class: "small", "data-index-of": index.entity, action: () => add(app, index),
        });
    }));
}

/** Adds a fetch index to the model, as one step that the model editor undoes. */
async function add({ toasts }, { entity, elements }) {
    try {
        const { revision, records } = await get("document");
        const found = Object.entries(records).find(([, record]) => record.kind === "entity" && record.name === entity);
        if (!found) throw new Error(`The model has no entity ${entity}.`);
        const merge = crypto.randomUUID();
        const name = `by${elements.map(({ property }) => property.charAt(0).toUpperCase() + property.slice(1)).join("")}`;
        const update = await post("actions", {
            revision, client, merge, title: "Add Fetch Index", actions: [{ kind: "addIndex", entity: found[0], name, properties: elements.map(({ property }) => property) }],
        });
        await turn(update, elements, merge);
        toasts.show(`The model has the index ${name} of ${entity} now. It is not saved yet.`);
    } catch (error) {
        toasts.show(error.message, { isError: true });
    }
}

/** New elements are ascending. */
async function turn({ revision, created, changed }, elements, merge) {
    const made = changed[created[0]].elements;
    const actions = elements.flatMap(({ isAscending }, place) => (isAscending ? [] : [{ kind: "set", element: made[place], changes: { isAscending: false } }]));
    if (actions.length > 0) await post("actions", { revision, client, merge, title: "Add Fetch Index", actions });
}
