const ends = /\r\n|\r|\n/gu;

/** The lines of a text, without their ends. @param {string} text */
export const linesOf = (text) => text.split(ends);

/**
 * A text that was typed into a field of several lines, with the line ends of the text that the field showed: the field itself
 * has line feeds alone. Where the text had several kinds, lines that stayed keep theirs.
 *
 * @param {string} before What the field was told to show. @param {string} typed What the field has.
 */
export function withLineEndsOf(before, typed) {
    const known = before.match(ends) ?? [];
    const kinds = new Set(known);
    if (kinds.size === 0) return typed;
    const lines = typed.split("\n");
    if (kinds.size === 1) return lines.join(known[0]);
    const old = linesOf(before);
    const most = Math.min(old.length, lines.length);
    let start = 0;
    while (start < most && old[start] === lines[start]) start += 1;
    let rest = 0;
    while (rest < most - start && old.at(-1 - rest) === lines.at(-1 - rest)) rest += 1;
    const moved = old.length - lines.length;
    const endOf = (line) => known[line < lines.length - rest ? line : line + moved] ?? known[0];
    return lines.map((line, index) => (index < lines.length - 1 ? line + endOf(index) : line)).join("");
}
