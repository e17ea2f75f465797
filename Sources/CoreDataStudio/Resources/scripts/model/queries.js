/**
 * Questions to a model. All take the store, and answer with records.
 *
 * @typedef {import("./store.js").Store} Store
 */

/** @param {Store} store */
export const entities = (store) => store.list(store.model.entities);

/** The entities that one inherits from, nearest first. @param {Store} store @param {any} entity */
export function ancestors(store, entity) {
    const seen = new Set([entity.id]);
    const result = [];
    for (let parent = store.record(entity.parent); parent && !seen.has(parent.id); parent = store.record(parent.parent)) {
        seen.add(parent.id);
        result.push(parent);
    }
    return result;
}

/** Whether `entity` is `other` or inherits from it. */
export function inherits(store, entity, other) {
    return entity.id === other || ancestors(store, entity).some(({ id }) => id === other);
}

/** The record that shows an element in the editor: an entity, a fetch request, a configuration, a composite, a version. */
export function container(store, id) {
    let record = store.record(id);
    while (record && !["entity", "fetchRequest", "configuration", "composite", "version"].includes(record.kind)) {
        record = store.record(record.owner);
    }
    return record;
}

/** What stands in the inspector for an element: its parts are shown with it. */
export function inspected(store, id) {
    let record = store.record(id);
    while (record && ["index", "indexElement", "constraint", "compoundIndex", "userInfo"].includes(record.kind)) {
        record = store.record(record.owner);
    }
    return record;
}

/** The relationships that can be the inverse of one: those of its destination that lead to its entity or a parent. */
export function fittingInverses(store, relationship) {
    const destination = store.record(relationship.destination);
    const entity = store.record(relationship.owner);
    if (!destination || !entity) return [];
    return [destination, ...ancestors(store, destination)]
        .flatMap((owner) => store.list(owner.relationships))
        .filter((other) => other.id === relationship.inverse || (other.destination && inherits(
            store, entity, other.destination
        )));
}

/** All properties of an entity by list, own and inherited. */
export function properties(store, entity) {
    return ["attributes", "relationships", "fetchedProperties"].flatMap((list) => store.list(entity[list]));
}

/** The problems of an element and of everything in it. */
export function problemsWithin(store, id) {
    return store.problems.filter((problem) => isWithin(store, problem.element, id));
}

function isWithin(store, id, ancestor) {
    for (let record = store.record(id); record; record = store.record(record.owner)) {
        if (record.id === ancestor) return true;
    }
    return false;
}

/** The worst severity among problems, or null. */
export function worst(problems) {
    return ["error", "warning", "note"].find((severity) => problems.some((problem) => problem.severity === severity)) ?? null;
}

/** What an element is called: `Player.team`. */
export function title(store, id) {
    const record = store.record(id);
    if (!record) return "";
    const name = record.name ?? record.key ?? (record.names ?? []).join(", ");
    const owner = store.record(record.owner);
    return owner && owner.kind !== "version" ? `${title(store, owner.id)}.${name}` : name;
}

/** The configurations that an entity belongs to, by number, for colours. */
export function configurationNumbers(store) {
    const numbers = new Map();
    store.list(store.model.configurations).forEach((configuration, index) => {
        for (const id of configuration.entities ?? []) if (!numbers.has(id)) numbers.set(id, index);
    });
    return numbers;
}

/** Everything with a name or text that matches, for the search. */
export function search(store, text) {
    const wanted = text.toLocaleLowerCase();
    const fields = [
        "name", "predicate", "className", "key", "value", "derivation", "defaultValue", "regularExpression",
        "renamingIdentifier", "transformer"
    ];
    return Object.values(store.records).filter((record) => record.kind !== "version").flatMap((record) => {
        const field = fields.find((name) => String(record[name] ?? "").toLocaleLowerCase().includes(wanted));
        const names = !field && (record.names ?? []).join(", ").toLocaleLowerCase().includes(wanted);
        return field || names ? [{ record, field: field ?? "names" }] : [];
    }).sort((a, b) => rank(a) - rank(b));
}

const order = ["entity", "attribute", "relationship", "fetchedProperty", "fetchRequest", "configuration", "composite"];

function rank({ record, field }) {
    const place = order.indexOf(record.kind);
    return (field === "name" ? 0 : 100) + (place < 0 ? order.length : place);
}
