// What the mouse does with the heads of columns.

const narrowest = 48;

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
export function resizeColumn(grid, event, column) {
    event.stopPropagation();
    event.preventDefault();
    const [start, width] = [event.clientX, column.width];
    follow(event.currentTarget, event, (move) => grid.actions.resize(column, Math.max(narrowest, width + move.clientX - start)));
}

/** Drags a column to another place; a short way is a click, which sorts. */
export function dragColumn(grid, event, column) {
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
