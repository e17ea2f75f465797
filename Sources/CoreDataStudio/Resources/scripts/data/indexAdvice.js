import { documents } from "../documents/documents.js";
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
        const { document, revision, element } = await modelWith(entity);
        const merge = crypto.randomUUID();
        const name = `by${elements.map(({ property }) => property.charAt(0).toUpperCase() + property.slice(1)).join("")}`;
        const update = await post("actions", {
            revision, client, merge, title: "Add Fetch Index", actions: [{ kind: "addIndex", entity: element, name, properties: elements.map(({ property }) => property) }],
        }, { document });
        await turn(update, elements, merge, document);
        toasts.show(`The model has the index ${name} of ${entity} now. It is not saved yet.`);
    } catch (error) {
        toasts.show(error.message, { isError: true });
    }
}

/** The first of the open models that has an entity. */
async function modelWith(entity) {
    for (const { id } of documents.all.filter(({ kind }) => kind === "model")) {
        const { revision, records } = await get("document", {}, { document: id });
        const found = Object.entries(records).find(([, record]) => record.kind === "entity" && record.name === entity);
        if (found) return { document: id, revision, element: found[0] };
    }
    throw new Error(`No open model has the entity ${entity}.`);
}

/** New elements are ascending. */
async function turn({ revision, created, changed }, elements, merge, document) {
    const made = changed[created[0]].elements;
    const actions = elements.flatMap(({ isAscending }, place) => (isAscending ? [] : [{ kind: "set", element: made[place], changes: { isAscending: false } }]));
    if (actions.length > 0) await post("actions", { revision, client, merge, title: "Add Fetch Index", actions }, { document });
}
