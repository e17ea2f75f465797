/** Where a key leads to from the active cell; null for keys that lead nowhere. */
export function stepOf(event, grid) {
    const { row, column } = grid.active;
    const last = { row: grid.source?.total - 1, column: grid.columns.length - 1 };
    const isFar = event.ctrlKey || event.metaKey;
    if (event.altKey || event.shiftKey) return null;
    switch (event.key) {
    case "ArrowDown": return isFar ? { row: last.row, column } : { row: row + 1, column };
    case "ArrowUp": return isFar ? { row: 0, column } : { row: row - 1, column };
    case "ArrowRight": return { row, column: isFar ? last.column : column + 1 };
    case "ArrowLeft": return { row, column: isFar ? 0 : column - 1 };
    case "PageDown": return { row: row + grid.page, column };
    case "PageUp": return { row: row - grid.page, column };
    case "Home": return isFar ? { row: 0, column } : { row, column: 0 };
    case "End": return isFar ? { row: last.row, column } : { row, column: last.column };
    default: return null;
    }
}
