import { showMenu } from "../ui/menus.js";
import { shown } from "./cells.js";
import { columnTitle } from "./columns.js";
import { deleteObject, duplicateObject } from "./editing/commands.js";
import { isMovable, moveMember, removeMember } from "./editing/members.js";
import { act } from "./editing/commands.js";
import { isNew } from "./editing/picker.js";
import { canType, takesFile } from "./editing/typedValue.js";
import { copy, open } from "./commands.js";
import { apply } from "./filterBar.js";
import { askToOpen, webAddress } from "./valueMarks.js";

/** What can be done with a cell, and with its column. */
export function cellMenu(app, { row, column, value }, at) {
    const items = [...(row ? cellItems(app, row, column, value) : []), ...columnItems(app, column)];
    showMenu(items, at, { label: `${columnTitle(column)}` });
}

function cellItems(app, row, column, value) {
    const condition = conditionOf(column, value);
    const { predicate } = app.data.place;
    const address = column.kind === "attribute" ? webAddress(value) : null;
    const filter = (text) => () => apply(app, predicate ? `(${predicate}) AND ${text}` : text);
    return [
        { title: "Open", action: () => open(app, row, column, value) },
        { title: "Copy", action: () => copy(app, copied(column, value)), isDisabled: value === null || value === undefined },
        ...(address ? [{ title: "Open Link…", action: () => askToOpen(address) }] : []),
        { title: "Filter by This Value", action: filter(condition), isDisabled: !condition },
        { title: "Leave Out This Value", action: filter(`NOT (${condition})`), isDisabled: !condition },
        null,
        ...(app.data.edits ? editItems(app, row, column, value) : []),
    ];
}

function editItems(app, row, column, value) {
    const { data, grid } = app;
    const isGone = row.state === "deleted";
    const canClear = canType(column) || takesFile(column) || column.kind === "toOne";
    const clear = column.kind === "toOne" ? { kind: "relate", object: row.id, key: column.name, to: null } : { kind: "set", object: row.id, key: column.name, value: null };
    const move = (to) => () => moveMember(app, row.id, to);
    const order = isMovable(data) ? [
        { title: "Move Up", action: move(data.index - 1), isDisabled: data.index === 0 },
        { title: "Move Down", action: move(data.index + 1), isDisabled: data.index + 1 >= data.source.total },
        { title: "Move to the Start", action: move(0), isDisabled: data.index === 0 },
        { title: "Move to the End", action: move(data.source.total - 1), isDisabled: data.index + 1 >= data.source.total },
    ] : [];
    return [
        { title: "Edit", action: () => grid.edit(), isDisabled: isGone || !(canType(column) || column.kind === "toOne") },
        { title: "Set to No Value", action: () => act(app, clear), isDisabled: isGone || !canClear || value === null || value === undefined },
        { title: "Duplicate", action: () => duplicateObject(app, row.id), isDisabled: isGone },
        ...order,
        ...(data.place.member ? [{ title: `Remove from ${data.place.member.relationship}`, action: () => removeMember(app, row.id) }] : []),
        { title: "Delete…", action: () => deleteObject(app, row.id), isDisabled: isGone, isDestructive: true },
        null,
    ];
}

function columnItems({ data }, column) {
    const key = column.sortKey;
    const canSort = column.kind !== "toMany";
    const others = data.place.sort.filter((each) => each.key !== key);
    const index = data.shownColumns.findIndex((each) => each.name === column.name);
    const isIdentifier = column.kind === "identifier";
    return [
        { title: "Sort Ascending", action: () => data.ask({ sort: [{ key, ascending: true }] }), isDisabled: !canSort },
        { title: "Sort Descending", action: () => data.ask({ sort: [{ key, ascending: false }] }), isDisabled: !canSort },
        { title: "Then Sort by This, Ascending", action: () => data.ask({ sort: [...others, { key, ascending: true }] }), isDisabled: !canSort || !others.length },
        { title: "Then Sort by This, Descending", action: () => data.ask({ sort: [...others, { key, ascending: false }] }), isDisabled: !canSort || !others.length },
        null,
        { title: column.isFrozen ? "Let Column Scroll" : "Freeze Column", action: () => data.setColumn(column.name, { isFrozen: !column.isFrozen }), isDisabled: isIdentifier },
        { title: "Move Left", action: () => data.moveColumn(column.name, index - 1), isDisabled: isIdentifier || index < 2 },
        { title: "Move Right", action: () => data.moveColumn(column.name, index + 1), isDisabled: isIdentifier || index === data.shownColumns.length - 1 },
        { title: "Wider", action: () => data.setColumn(column.name, { width: column.width + 60 }) },
        { title: "Narrower", action: () => data.setColumn(column.name, { width: Math.max(48, column.width - 60) }) },
        { title: "Hide Column", action: () => data.setColumn(column.name, { isHidden: true }), isDisabled: isIdentifier },
    ];
}

/** The predicate that is true for objects with this value; null where there is none. */
function conditionOf(column, value) {
    const { name } = column;
    if (column.kind === "toMany") return `${name}.@count == ${value.count}`;
    if (column.kind === "identifier") return null;
    if (value === null || value === undefined) return `${name} == nil`;
    if (column.kind === "toOne") return isNew(value.id) ? null : `${name} == ${variableOf(value.id)}`;
    if (typeof value === "boolean") return `${name} == ${value}`;
    if (typeof value === "object") return "date" in value ? `${name} == CAST(${value.date}, "NSDate")` : null;
    if (column.isNumber) return Number.isFinite(Number(value)) ? `${name} == ${column.type === "float" ? asDouble(value) : value}` : null;
    if (column.type === "uuid") return `${name} == CAST(${quoted(value)}, "NSUUID")`;
    return `${name} == ${quoted(value)}`;
}

/** The variable that stands for an object, which the server puts in its place. @param {string} id Such as `Team/p3`. */
function variableOf(id) {
    return `$${id.replace("/", "_")}`;
}

/** All digits of a Float: a store compares it as a double. @param {string} text The Float in its own digits. */
function asDouble(text) {
    return String(Math.fround(Number(text)));
}

function quoted(text) {
    return `"${text.replaceAll("\\", "\\\\").replaceAll("\"", "\\\"")}"`;
}

function copied(column, value) {
    if (value === null || value === undefined) return "";
    if (typeof value !== "object") return String(value);
    return value.iso ?? value.id ?? value.text ?? shown(value, column).text;
}
