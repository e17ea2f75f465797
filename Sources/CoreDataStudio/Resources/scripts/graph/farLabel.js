import { textWidth } from "./metrics.js";

/**
 * The name of a box as it is read from afar: `CustomerOrderLine` in three lines, as large as the box has room for.
 *
 * @param {string} name @param {number} width @param {number} height
 * @returns {{lines: string[], size: number}} The size is that of the font, in the drawing's measure.
 */
export function farLabel(name, width, height) {
    const words = wordsOf(name);
    let best = { lines: [name], size: 0 };
    for (let count = 1; count <= Math.min(words.length, 4); count++) {
        const lines = spread(words, count);
        const widest = Math.max(...lines.map((line) => textWidth(line, 1)), 0.1);
        const size = Math.min((width - 18) / (widest * 1.14), (height - 10) / (lines.length * 1.15), 64);
        if (size > best.size) best = { lines, size };
    }
    return best;
}

/** Where a name may be broken: before capitals, behind underscores and spaces. Long words are broken anywhere. */
function wordsOf(name) {
    const words = name.split(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=[_\s])/u).filter(Boolean);
    return words.flatMap((word) => word.match(/.{1,14}/gu) ?? []);
}

/** Words in a number of lines, the widest of which is as narrow as can be. */
function spread(words, count) {
    if (count === 1) return [words.join("")];
    let best = null;
    for (let end = 1; end <= words.length - count + 1; end++) {
        const lines = [words.slice(0, end).join(""), ...spread(words.slice(end), count - 1)];
        const widest = Math.max(...lines.map((line) => textWidth(line, 1)));
        if (!best || widest < best.widest) best = { lines, widest };
    }
    return best.lines;
}
