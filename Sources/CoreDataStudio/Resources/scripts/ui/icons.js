import { h } from "./view.js";
import { kindLetters } from "../model/types.js";

/** Drawings of 16 by 16, in lines of the text's colour. */
const paths = {
    add: "M8 3v10M3 8h10",
    tree: "M2.500 2.500h4v3h-4zM9.500 6.500h4v3h-4zM9.500 11h4v3h-4zM4.500 5.500v7h5M4.500 8h5",
    pencil: "M3 13l.700-3L10.500 3.200l2.300 2.300L6 12.300z",
    remove: "M3 8h10",
    undo: "M5.5 3.5 2.5 6.5l3 3M2.5 6.5h7a4 4 0 0 1 0 8H7",
    redo: "M10.5 3.5l3 3-3 3M13.5 6.5h-7a4 4 0 0 0 0 8H9",
    save: "M3 3h8l2 2v8H3zM5.5 3v3.5h4V3M5 13V9.5h6V13",
    search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.5 10.5 14 14",
    sidebar: "M2.5 3h11v10h-11zM6.5 3v10",
    inspector: "M2.5 3h11v10h-11zM9.5 3v10",
    table: "M2.5 3h11v10h-11zM2.5 6.5h11M2.5 9.8h11M6.5 6.5V13",
    graph: "M2 3h5v4H2zM9 9h5v4H9zM7 5h4.5v4",
    error: "M8 2 14.5 13.5h-13zM8 6.5v3.2M8 11.6v.2",
    warning: "M8 2 14.5 13.5h-13zM8 6.5v3.2M8 11.6v.2",
    note: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 7.3v3.4M8 5.2v.2",
    check: "M3 8.5 6.5 12 13 4.5",
    close: "M4 4l8 8M12 4l-8 8",
    down: "M4 6l4 4 4-4",
    moveUp: "M8 13V3.500M4.500 7 8 3.500 11.500 7",
    moveDown: "M8 3v9.500M4.500 9 8 12.500 11.500 9",
    right: "M6 4l4 4-4 4",
    code: "M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5",
    folder: "M2 4h4.500l1.500 1.500H14V13H2z",
    file: "M4 2h5.5L12.5 5v9H4zM9.5 2v3h3",
    compare: "M3 3h4v10H3zM9 3h4v10H9z",
    fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
    arrange: "M2 3h4v3H2zM10 2h4v3h-4zM10 7h4v3h-4zM2 10h4v3H2zM6 4.5h4M6 11.5h2V8.5h2",
    neighbours: "M6.500 6.500h3v3h-3zM2 2h2.500v2.500H2zM11.500 2H14v2.500h-2.500zM2 11.500h2.500V14H2zM11.500 11.500H14V14h-2.500zM4.500 4.500l2 2M11.500 4.500l-2 2M4.500 11.500l2-2M11.500 11.500l-2-2",
    export: "M8 10V2.5M5 5l3-3 3 3M3 9v4.5h10V9",
    copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
    duplicate: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3M9.5 7.5v4M7.5 9.5h4",
    grip: "M6 4v.1M10 4v.1M6 8v.1M10 8v.1M6 12v.1M10 12v.1",
    palette: "M2.500 3h11v10h-11zM5 6.500 7 8.200 5 10M8.500 10.200h2.500",
    colors: "M8 2a6 6 0 1 0 0 12c1.200 0 1.500-.8 1.100-1.600-.5-1 .1-1.900 1.200-1.900h1.700A2 2 0 0 0 14 8.500C14 4.900 11.300 2 8 2ZM5 8v.1M6.500 5v.1M10 5v.1",
    lock: "M4 7.500h8v6H4zM5.500 7.500V5.500a2.500 2.500 0 0 1 5 0v2",
    data: "M3 4c0-1.100 2.200-2 5-2s5 .900 5 2-2.200 2-5 2-5-.900-5-2ZM3 4v8c0 1.100 2.200 2 5 2s5-.900 5-2V4M3 8c0 1.100 2.200 2 5 2s5-.900 5-2",
    filter: "M2.500 3.500h11L9.500 8.500v4l-3 1.500v-5.500z",
    first: "M4 3h8M8 13V6M5 8.500 8 5.500l3 3",
    last: "M4 13h8M8 3v7M5 7.500l3 3 3-3",
    star: "M8 2.500 9.700 6l3.800.500-2.800 2.600.700 3.800L8 11.100l-3.400 1.800.700-3.800L2.500 6.500 6.300 6z",
    history: "M3 8a5 5 0 1 0 1.500-3.500L3 6M3 3v3h3M8 5.500V8l2 1.500",
    past: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 4.500V8L5.500 9.500",
    help: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM6.300 6.300a1.800 1.800 0 1 1 2.600 1.700c-.6.300-.9.700-.9 1.300M8 11.300v.2",
};

/** A picture that says nothing to screen readers: what it stands for has a label. @param {keyof typeof paths} name */
export function icon(name) {
    return h(
        "svg.icon", { viewBox: "0 0 16 16", "aria-hidden": "true", class: `icon-${name}` },
        h("path", { d: paths[name] })
    );
}

/** The letter in a coloured square by which Xcode's users know the kinds. @param {string} kind */
export function badge(kind) {
    return h("span.badge", { class: `kind-${kind}`, "aria-hidden": "true" }, kindLetters[kind] ?? "·");
}
