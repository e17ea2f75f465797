/** The measures of boxes, as the module `ModelGraph` has them (`Contents/Metrics.swift`). */
export const metrics = {
    header: 30, row: 17, padding: 6, divider: 7, margin: 12, minimumWidth: 128, maximumWidth: 300, titleSize: 13, rowSize: 11.5, columnGap: 14, stub: 44,
};

const narrow = new Set("ijlItfr.,:;'|!()[] ");
const wide = new Set("mwMW@%…");

function ems(character) {
    const code = character.codePointAt(0);
    if (narrow.has(character)) return 0.32;
    if (wide.has(character)) return 0.9;
    if ((character >= "A" && character <= "Z") || character === "_") return 0.7;
    if (code < 0x80) return 0.58;
    if ((code >= 0x1100 && code <= 0xffdc) || (code >= 0x1f000 && code <= 0x3ffff)) return 1.05;
    return 0.7;
}

/** How wide a text is likely to be. @param {string} text @param {number} size */
export function textWidth(text, size) {
    let sum = 0;
    for (const character of text) sum += ems(character);
    return sum * size;
}

/** The text, or as much of it as fits with an ellipsis. */
export function fitting(text, size, room) {
    if (textWidth(text, size) <= room) return text;
    let kept = "";
    for (const character of text) {
        if (textWidth(`${kept}${character}…`, size) > room) break;
        kept += character;
    }
    return `${kept}…`;
}

/** The middle of a row, from the box's upper edge. */
export function rowOffset(rows, index) {
    let dividers = 0;
    for (let place = 1; place <= index; place++) if (rows[place].kind !== rows[place - 1].kind) dividers++;
    return metrics.header + metrics.padding + dividers * metrics.divider + (index + 0.5) * metrics.row;
}

/** @returns {{width: number, height: number}} */
export function boxSize(title, rows) {
    const header = textWidth(title, metrics.titleSize) * 1.06 + 2 * metrics.margin + 10;
    const widest = Math.max(0, ...rows.map((row) => 2 * metrics.margin + metrics.columnGap
        + textWidth(row.name, metrics.rowSize) * (row.isOptional ? 1 : 1.12) + textWidth(row.detail, metrics.rowSize)));
    const width = Math.ceil(Math.min(Math.max(header, widest, metrics.minimumWidth), metrics.maximumWidth));
    const height = rows.length === 0 ? metrics.header + 2 * metrics.padding + metrics.row / 2
        : rowOffset(rows, rows.length - 1) + metrics.row / 2 + metrics.padding;
    return { width, height };
}
