import { h } from "./view.js";

/** Columns with widths that can be changed by dragging the edge of a head. The widths live as long as the page. */
const leastWidth = 56;

/**
 * What holds the widths of a table's columns, where one was dragged.
 *
 * @param {Map<string, number[]>} widths By table, a number of pixels a column. @param {string} table
 */
export function columnGroup(widths, table) {
    const known = widths.get(table);
    return known && h("colgroup", { key: "widths" }, known.map((width, index) => h("col", { key: index, width })));
}

/**
 * The edge of a column's head. A drag changes the column and the next one; a double click gives all their first widths back.
 *
 * @param {Map<string, number[]>} widths @param {string} table @param {number} index @param {() => void} redraw
 */
export function columnEdge(widths, table, index, redraw) {
    return h("span.column-edge", {
        "aria-hidden": "true", title: "Drag to resize, double-click to reset",
        onpointerdown: (event) => drag(event, widths, table, index, redraw),
        // A row or a field does not take part in this.
        onmousedown: (event) => event.stopPropagation(),
        ondblclick: () => { widths.delete(table); redraw(); },
    });
}

function drag(event, widths, table, index, redraw) {
    if (event.button !== 0) return;
    event.preventDefault();
    const edge = event.currentTarget;
    const element = edge.closest("table");
    const first = [...element.tHead.rows[0].cells].map((cell) => cell.getBoundingClientRect().width);
    const start = event.clientX;
    edge.setPointerCapture(event.pointerId);
    edge.onpointermove = (move) => {
        const now = resized(first, index, move.clientX - start);
        const isNew = !widths.has(table);
        widths.set(table, now);
        if (isNew) return redraw();
        // The other parts of the window don't change: only the columns are told.
        element.querySelectorAll("col").forEach((column, place) => { column.width = String(now[place]); });
    };
    edge.onpointerup = edge.onpointercancel = () => {
        edge.onpointermove = edge.onpointerup = edge.onpointercancel = null;
        redraw();
    };
}

/** The next column gives what one takes as long as it can; then the table becomes wider. */
function resized(first, index, change) {
    const now = first.map((width) => Math.round(width));
    now[index] = Math.max(leastWidth, Math.round(first[index] + change));
    const taken = now[index] - Math.round(first[index]);
    const next = index + 1;
    now[next] = Math.max(Math.min(leastWidth, now[next]), now[next] - taken);
    return now;
}
