import { modelText } from "../ui/text.js";
import { h } from "../ui/view.js";
import { columnTitle } from "./columns.js";

const narrowest = 48;

/** The heads of the columns: a click sorts, a drag moves or resizes. @param {import("./grid.js").Grid} grid */
export function headRow(grid) {
    return h("div.grid-row", { role: "row", "aria-rowindex": "1" }, grid.columns.map((column, index) => head(grid, column, index)));
}

function head(grid, column, index) {
    const place = grid.sort.findIndex((each) => each.key === sortKey(column));
    const sorted = grid.sort[place];
    return h("div.grid-title", {
        key: column.name, role: "columnheader", "aria-colindex": String(index + 1), title: headTitle(column),
        class: [column.isNumber && "number", column.isFrozen && "frozen"].filter(Boolean).join(" "), "data-column": column.name,
        "aria-sort": sorted ? (sorted.ascending ? "ascending" : "descending") : null,
        ref: (node) => grid.freeze(node, index),
        onclick: (event) => grid.actions.sort(column, event.shiftKey),
        onpointerdown: (event) => dragColumn(grid, event, column),
        oncontextmenu: (event) => { event.preventDefault(); grid.actions.menu({ column }, { x: event.clientX, y: event.clientY }); },
    }, h("span.grid-name", null, modelText(columnTitle(column))),
    sorted && h("span.grid-sort", { "aria-hidden": "true" }, sorted.ascending ? "▲" : "▼", grid.sort.length > 1 && h("sub", null, String(place + 1))),
    h("span.grid-edge", { onclick: (event) => event.stopPropagation(), onpointerdown: (event) => resizeColumn(grid, event, column) }));
}

/** What a column sorts by. */
function sortKey(column) {
    return column.sortKey ?? column.name;
}

function headTitle(column) {
    const kind = { toOne: `to one ${column.destination}`, toMany: `to many ${column.destination}`, identifier: "entity and key" }[column.kind];
    return `${columnTitle(column)}: ${kind ?? column.type}`;
}


/** Follows the mouse until its button is let go of. */
function follow(node, event, move, end) {
    node.setPointerCapture(event.pointerId);
    node.onpointermove = move;
    node.onpointerup = node.onpointercancel = (last) => {
        node.onpointermove = node.onpointerup = node.onpointercancel = null;
        end?.(last);
    };
}

/** Drags the right edge of a column. */
function resizeColumn(grid, event, column) {
    event.stopPropagation();
    event.preventDefault();
    const [start, width] = [event.clientX, column.width];
    follow(event.currentTarget, event, (move) => grid.actions.resize(column, Math.max(narrowest, width + move.clientX - start)));
}

/** Drags a column to another place; a short way is a click, which sorts. */
function dragColumn(grid, event, column) {
    if (event.button !== 0 || column.kind === "identifier") return;
    const node = event.currentTarget;
    const start = event.clientX;
    let isDragged = false;
    follow(node, event, (move) => {
        if (!isDragged && Math.abs(move.clientX - start) < 6) return;
        isDragged = true;
        node.classList.add("dragged");
        mark(grid, target(grid, move.clientX));
    }, (end) => {
        node.classList.remove("dragged");
        mark(grid, null);
        if (!isDragged) return;
        // The click that ends a drag does not sort.
        addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true });
        setTimeout(() => {
            const to = target(grid, end.clientX);
            if (to !== null) grid.actions.move(column, to);
        });
    });
}

function target(grid, x) {
    const heads = [...grid.head.querySelectorAll(".grid-title")];
    const index = heads.findIndex((head) => {
        const { left, right } = head.getBoundingClientRect();
        return x >= left && x < right;
    });
    return index > 0 ? index : null;
}

function mark(grid, index) {
    grid.head.querySelectorAll(".grid-title").forEach((head, place) => head.toggleAttribute("data-target", place === index));
}
