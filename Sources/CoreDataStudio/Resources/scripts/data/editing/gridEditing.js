// What editing needs of the grid.

/** How far from the first row new objects stand at most. */
const mostNew = 100;

/** Edits the active cell of a grid. @returns {boolean} Whether it can be edited. */
export function editActive(grid) {
    const { row: index, column: place } = grid.active;
    const [row, cell, column] = [grid.source?.row(index), grid.cell(index, place), grid.columns[place]];
    if (!row || !cell || cell.querySelector(".cell-editor")) return false;
    return grid.actions.edit({ cell, row, column, value: grid.value(row, column) });
}

/** Edits the next cell of the active row that can be edited. @param {number} step 1 or -1. */
export function editNext(grid, step) {
    for (let column = grid.active.column + step; column > 0 && column < grid.columns.length; column += step) {
        grid.go(grid.active.row, column);
        if (grid.columns[column].kind === "attribute" && editActive(grid)) return;
    }
}

/** Makes the row of a new object the active one, as soon as it is there. */
export function reveal(grid, id) {
    const { source } = grid;
    const find = () => {
        const places = Array.from({ length: Math.min(mostNew, source.total) }, (_, place) => place);
        const index = places.find((place) => source.row(place)?.id === id);
        if (index !== undefined) grid.go(index, Math.min(Math.max(1, grid.active.column), grid.columns.length - 1));
        return index !== undefined;
    };
    if (find()) return;
    grid.scrollToStart();
    const listener = () => { if (grid.source !== source || find()) source.removeEventListener("change", listener); };
    source.addEventListener("change", listener);
}
