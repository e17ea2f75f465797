import { h } from "../ui/view.js";
import { badge, icon } from "../ui/icons.js";
import { iconButton } from "../ui/fields.js";
import { columnEdge, columnGroup } from "../ui/columns.js";
import { reorderable } from "../ui/reordering.js";
import { isInField, matches } from "../ui/shortcuts.js";
import { modelText, plainText } from "../ui/text.js";
import { problemsWithin, worst } from "../model/queries.js";

/**
 * A table of properties with cells that can be edited.
 *
 * @param {any} app
 * @param {{title: string, owner: any, list: string, columns: {title: string, class?: string, cell: (record: any) => any,
 *   text: (record: any) => any}[], add: () => any, addTitle: string, inherited?: {entity: any, records: any[]}[], empty: string}} options
 */
export function propertyTable(app, { title, owner, list, columns, add, addTitle, inherited = [], empty }) {
    const records = app.store.list(owner[list]);
    const groups = inherited.filter((group) => group.records.length > 0);
    return h("section.properties", { key: list, "data-list": list, "aria-label": title },
        h("header.section-head", null, h("h2", null, title), h(
            "span.count", { "aria-hidden": "true" }, records.length || ""
        ),
            iconButton({ title: addTitle, icon: icon("add"), action: add, "data-add": list })),
        records.length + groups.length === 0
            ? h("p.empty", null, empty)
            : h("div.table-scroll", { key: "table" }, h("table", {
                "aria-label": title, role: "grid", "aria-multiselectable": "true",
            },
            columnGroup(app.columnWidths, list),
            h("thead", { key: "head" }, heads(app, list, columns)),
            h("tbody", { key: "own" }, records.map((record, index) => row(app, owner, list, columns, record, index))),
            groups.map((group) => inheritedRows(app, columns, group)))));
}

function heads({ columnWidths, workspace }, list, columns) {
    const redraw = () => workspace.changed();
    return h("tr", null,
        columns.map((column, index) => h("th", { scope: "col", class: column.class, key: column.title },
            column.title, columnEdge(columnWidths, list, index, redraw))),
        h("th.tools-column", { scope: "col" }, h("span.unseen", null, "Actions")));
}

function row(app, owner, list, columns, record, index) {
    const { store, workspace, editing } = app;
    const severity = worst(problemsWithin(store, record.id));
    const isSelected = workspace.selection.includes(record.id);
    return h("tr", {
        key: record.id, "data-row": record.id, "data-selected": isSelected ? "" : null, "aria-selected": String(isSelected), tabindex: "-1",
        onfocusin: (event) => {
            // A row that gets the focus itself was selected by a click or a key.
            if (event.target === event.currentTarget || workspace.selection.at(-1) === record.id) return;
            workspace.select(record.id);
        },
        onmousedown: (event) => point(event, app, record),
        onkeydown: (event) => walk(event, app, record),
        ...reorderable(record.id, owner.id, list, index, (id, to) => editing.move(id, to)),
    },
    columns.map((column, place) => h("td", { class: column.class, key: column.title },
        place === 0 ? h(
            "div.name-cell", null, badge(record.kind), column.cell(record),
            severity && problemMark(app, record, severity)
        ) : column.cell(record))),
    h("td.tools-column", null, iconButton({ title: `Delete ${record.name}`, icon: icon("close"), class: "row-tool", tabindex: "-1", action: (event) => {
        event.stopPropagation();
        workspace.select(record.id);
        editing.deleteSelection();
    } })));
}

/** A sign on what has a problem, which leads to the list of problems. */
export function problemMark(app, record, severity) {
    const messages = problemsWithin(app.store, record.id).map((problem) => plainText(problem.message));
    return h("button.mark", {
        type: "button", class: severity, title: messages.join("\n"), "aria-label": `${severity}: ${messages.join(" ")}`, tabindex: "-1",
        onclick: () => app.workspace.set({ panel: "problems" }),
    }, icon(severity));
}

function inheritedRows({ workspace }, columns, { entity, records }) {
    return h("tbody.inherited", { key: entity.id },
        h(
            "tr", null,
            h("th", { colspan: columns.length + 1, scope: "rowgroup" }, icon("lock"), " Inherited from ", modelText(entity.name))
        ),
        records.map((record) => h("tr", { key: record.id, "data-inherited": record.id },
            columns.map((column, place) => h("td", { class: column.class, key: column.title }, place === 0
                ? h(
                    "div.name-cell", null, badge(record.kind),
                    h(
                        "button.link",
                        {
                            type: "button", onclick: () => workspace.reveal(record.id, "name"),
                            title: plainText(`Show in ${entity.name}`)
                        },
                        modelText(record.name)
                    )
                )
                : column.text(record))),
            h("td.tools-column"))));
}

/** The properties that the editor shows, in their order. */
function shownRows() {
    return [...document.querySelectorAll(".editor tr[data-row]")];
}

/** A press selects the row. With Shift or Control it selects several, and no field takes the focus. */
function point(event, { workspace }, record) {
    const row = event.currentTarget;
    const isField = isInField(event);
    if (event.button === 2) {
        if (isField && document.activeElement !== event.target) event.preventDefault();
        return;
    }
    if (event.button !== 0) return;
    if (event.shiftKey || event.ctrlKey || event.metaKey) {
        event.preventDefault();
        workspace.selectBy(event, record.id, shownRows().map((other) => other.dataset.row));
        row.focus({ preventScroll: true });
    } else if (workspace.selection.length !== 1 || workspace.selection[0] !== record.id) workspace.select(record.id);
}

/** Up and down lead to the neighbouring row, in a field to the same column of it; with Alt they move the row. */
function walk(event, app, record) {
    const { editing, workspace } = app;
    const row = event.currentTarget;
    if (matches(event, "mod+delete")) {
        if (!workspace.selection.includes(record.id)) workspace.select(record.id);
        editing.deleteSelection();
        return event.preventDefault();
    }
    if (event.key === "Escape" && event.target !== row) {
        row.focus();
        return event.preventDefault();
    }
    if (event.target === row) return walkRows(event, app, record);
    if (!["ArrowDown", "ArrowUp"].includes(event.key) || event.target.tagName === "SELECT" || event.target.tagName === "TEXTAREA") return;
    const distance = event.key === "ArrowDown" ? 1 : -1;
    event.preventDefault();
    if (event.altKey) return editing.shift(record.id, distance);
    const rows = [...row.parentElement.children];
    const next = rows[rows.indexOf(row) + distance];
    const cell = event.target.closest("td");
    const place = [...row.children].indexOf(cell);
    const field = next?.children[place]?.querySelector("input, select, textarea");
    field?.focus();
    if (field?.select) field.select();
}

/** The keys of a row that has the focus itself. */
function walkRows(event, { editing, workspace }, record) {
    const distance = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const rows = shownRows();
    const at = rows.indexOf(event.currentTarget);
    if (event.altKey && distance) editing.shift(record.id, distance);
    else if (distance || event.key === "Home" || event.key === "End") {
        const next = distance ? rows[at + distance] : event.key === "Home" ? rows[0] : rows.at(-1);
        if (!next) return event.preventDefault();
        workspace.selectBy({ shiftKey: event.shiftKey }, next.dataset.row, rows.map((other) => other.dataset.row));
        next.focus();
    } else if (event.key === "Enter") workspace.select(record.id, { focus: "name" });
    else return;
    event.preventDefault();
}
