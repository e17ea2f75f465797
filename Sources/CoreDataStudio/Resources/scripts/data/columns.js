const numbers = new Set(["integer16", "integer32", "integer64", "decimal", "double", "float"]);
const widths = { boolean: 72, date: 168, uuid: 290, uri: 220, binary: 236, transformable: 236, string: 180 };

/**
 * A column of the grid: a property of the entity, or the objects' identifier.
 *
 * @typedef {{name: string, kind: "identifier"|"attribute"|"toOne"|"toMany", type?: string, destination?: string,
 *   isOrdered?: boolean, inverse?: string}} Property
 * @typedef {Property & {width: number, isFrozen: boolean, isHidden: boolean, isNumber: boolean}} Column
 */

/**
 * The columns of an entity, as they were left. New ones begin with what objects are called by.
 *
 * @param {number} longest How many characters the longest name of its entities has.
 * @returns {Column[]}
 */
export function columnsOf(entity, longest, memory) {
    const kept = new Map(memory.get(`columns ${entity.name}`, []).map((column, index) => [column.name, { ...column, index }]));
    const isTitle = (property) => entity.title.includes(property.name);
    const properties = [...entity.properties.filter(isTitle), ...entity.properties.filter((property) => !isTitle(property))];
    const all = [{ name: "", kind: "identifier", longest }, ...properties].map((property, index) => {
        const old = kept.get(property.name);
        return {
            ...property, isNumber: numbers.has(property.type) || property.kind === "toMany", width: old?.width ?? width(property),
            isFrozen: old?.isFrozen ?? index === 0, isHidden: old?.isHidden ?? false, place: old?.index ?? kept.size + index,
        };
    });
    return arranged(all.sort((a, b) => a.place - b.place));
}

/** Keeps what was done to the columns. @param {Column[]} columns */
export function keepColumns(entity, columns, memory) {
    memory.set(`columns ${entity.name}`, columns.map(({ name, width: wide, isFrozen, isHidden }) => (
        { name, width: wide, isFrozen, isHidden }
    )));
}

/** Frozen columns stand before the others. @param {Column[]} columns */
export function arranged(columns) {
    return [...columns.filter((column) => column.isFrozen), ...columns.filter((column) => !column.isFrozen)];
}

function width(property) {
    const title = property.name.length * 7.5 + 42;
    if (property.kind === "identifier") return Math.max(110, property.longest * 7.2 + 72);
    if (property.kind === "toOne") return Math.max(170, title);
    if (property.kind === "toMany") return Math.max(84, title);
    return Math.min(320, Math.max(widths[property.type] ?? 104, title));
}

/** What stands above a column. @param {Property} column */
export function columnTitle(column) {
    return column.kind === "identifier" ? "Object" : column.name;
}
