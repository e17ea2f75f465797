/** The words of models: types, rules and kinds, as the protocol spells them and as people read them. */

/** Attribute types in the order of Xcode's menu. */
export const attributeTypes = [
    ["undefined", "Undefined"], ["integer16", "Integer 16"], ["integer32", "Integer 32"], ["integer64", "Integer 64"],
    ["decimal", "Decimal"], ["double", "Double"], ["float", "Float"], ["string", "String"], ["boolean", "Boolean"],
    ["date", "Date"], ["binary", "Binary Data"], ["uuid", "UUID"], ["uri", "URI"], ["transformable", "Transformable"],
    ["objectID", "Object ID"], ["composite", "Composite"],
];

const typeTitles = new Map(attributeTypes);

/** What a type is called in boxes and lists. @param {string} type */
export function typeTitle(type) {
    return typeTitles.get(type) ?? type;
}

export const deleteRules = [
    ["noAction", "No Action"], ["nullify", "Nullify"], ["cascade", "Cascade"], ["deny", "Deny"],
];

/** The letter that stands for a delete rule in drawings. */
export const deleteRuleLetters = { noAction: "–", nullify: "N", cascade: "C", deny: "D" };

export const codeGenerations = [
    ["none", "Manual/None"], ["class", "Class Definition"], ["category", "Category/Extension"],
];

export const resultTypes = [
    ["objects", "Objects"], ["objectIDs", "Object IDs"], ["dictionaries", "Dictionaries"], ["count", "Count"],
];

/** What a record is called in sentences. */
export const kindTitles = {
    version: "Model version", entity: "Entity", attribute: "Attribute", relationship: "Relationship",
    fetchedProperty: "Fetched property", fetchRequest: "Fetch request", configuration: "Configuration",
    composite: "Composite", index: "Index", indexElement: "Index element", constraint: "Constraint",
    compoundIndex: "Compound index", userInfo: "User info",
};

/** The letter in a kind's badge. */
export const kindLetters = {
    version: "V", entity: "E", attribute: "A", relationship: "R", fetchedProperty: "P", fetchRequest: "F",
    configuration: "C", composite: "M", index: "I", constraint: "U",
};

export const numberTypes = new Set(["integer16", "integer32", "integer64", "decimal", "double", "float"]);
const scalarTypes = new Set(["integer16", "integer32", "integer64", "double", "float", "boolean", "date"]);

/** Whether generated classes can have a scalar for a type. @param {string} type */
export function canBeScalar(type) {
    return scalarTypes.has(type);
}
