import { h } from "../ui/view.js";
import { badge, icon } from "../ui/icons.js";
import { iconButton } from "../ui/fields.js";
import { reorderable } from "../ui/reordering.js";
import { matches } from "../ui/shortcuts.js";
import { problemsWithin, worst } from "../model/queries.js";

/**
 * A table of properties whose cells can be edited.
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
            : h("table", { "aria-label": title },
                h("thead", null, h("tr", null, columns.map((column) => h(
                    "th", { scope: "col", class: column.class, key: column.title }, column.title
                )),
                    h("th.tools-column", { scope: "col" }, h("span.unseen", null, "Actions")))),
                h("tbody", null, records.map((record, index) => row(app, owner, list, columns, record, index))),
                groups.map((group) => inheritedRows(app, columns, group))));
}

function row(app, owner, list, columns, record, index) {
    const { store, workspace, editing } = app;
    const severity = worst(problemsWithin(store, record.id));
    return h("tr", {
        key: record.id, "data-row": record.id, "data-selected": workspace.selection.includes(record.id) ? "" : null,
        onfocusin: () => { if (workspace.selection.at(-1) !== record.id) workspace.select(record.id); },
        onclick: () => { if (!workspace.selection.includes(record.id)) workspace.select(record.id); },
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
    const messages = problemsWithin(app.store, record.id).map((problem) => problem.message);
    return h("button.mark", {
        type: "button", class: severity, title: messages.join("\n"), "aria-label": `${severity}: ${messages.join(" ")}`, tabindex: "-1",
        onclick: () => app.workspace.set({ panel: "problems" }),
    }, icon(severity));
}

function inheritedRows({ workspace }, columns, { entity, records }) {
    return h("tbody.inherited", { key: entity.id },
        h(
            "tr", null,
            h("th", { colspan: columns.length + 1, scope: "rowgroup" }, icon("lock"), ` Inherited from ${entity.name}`)
        ),
        records.map((record) => h("tr", { key: record.id, "data-inherited": record.id },
            columns.map((column, place) => h("td", { class: column.class, key: column.title }, place === 0
                ? h(
                    "div.name-cell", null, badge(record.kind),
                    h(
                        "button.link",
                        {
                            type: "button", onclick: () => workspace.reveal(record.id, "name"),
                            title: `Show in ${entity.name}`
                        },
                        record.name
                    )
                )
                : column.text(record))),
            h("td.tools-column"))));
}

/** Up and down lead to the same column of the neighbouring row; with Alt they move the row. */
function walk(event, { editing, workspace }, record) {
    if (matches(event, "mod+delete")) {
        workspace.select(record.id);
        editing.deleteSelection();
        return event.preventDefault();
    }
    if (!["ArrowDown", "ArrowUp"].includes(event.key) || event.target.tagName === "SELECT" || event.target.tagName === "TEXTAREA") return;
    const distance = event.key === "ArrowDown" ? 1 : -1;
    event.preventDefault();
    if (event.altKey) return editing.shift(record.id, distance);
    const rows = [...event.currentTarget.parentElement.children];
    const next = rows[rows.indexOf(event.currentTarget) + distance];
    const cell = event.target.closest("td");
    const place = [...event.currentTarget.children].indexOf(cell);
    const field = next?.children[place]?.querySelector("input, select, textarea");
    field?.focus();
    if (field?.select) field.select();
}
