import { button, checkField, iconButton } from "../ui/fields.js";
import { badge, icon } from "../ui/icons.js";
import { sentence, modelText, plainText } from "../ui/text.js";
import { h } from "../ui/view.js";
import { grouped } from "./cells.js";
import { columnsDialog } from "./columnsDialog.js";
import { exportDialog } from "./exporting.js";
import { filterBar } from "./filterBar.js";
import { Grid } from "./grid.js";
import { cellMenu } from "./cellMenu.js";
import { objectView } from "./objectView.js";
import { panel } from "./panel.js";
import { pastView } from "./pastView.js";
import { sidebar } from "./sidebar.js";
import { timeline } from "./timeline.js";
import { open } from "./commands.js";
import { editCell } from "./editing/cellEditor.js";
import { dragRow } from "./editing/members.js";
import { journalBanners } from "./editing/recovery.js";
import { editTools } from "./editing/tools.js";

/** The whole window. */
export function shell(app) {
    const { data } = app;
    return [
        h("a.skip-link", { href: "#rows", key: "skip", onclick: (event) => { event.preventDefault(); (document.getElementById("timeline") ?? document.getElementById("past") ?? app.grid?.root)?.focus(); } }, "Skip to the rows"),
        toolbar(app),
        data.schema.notes.length > 0 && notes(data.schema.notes),
        data.edits && journalBanners(app),
        data.problem && h("div.banner.warning", { key: "problem", id: "following-problem", role: "status" }, icon("warning"), h("span", null, sentence(data.problem))),
        h("div.columns", { key: "columns" }, sidebar(app),
            h("div.center", { key: "center" },
                h("main.editor", { id: "editor", tabindex: "-1", "aria-label": data.history || data.past ? "History" : "Rows" }, data.place && [trail(app), content(app)]),
                data.panel && panel(app)),
            objectView(app)),
    ];
}

function content(app) {
    const { history, past } = app.data;
    if (history) return timeline(app);
    return past ? pastView(app) : [filterBar(app), rows(app), foot(app)];
}

function toolbar(app) {
    const { data } = app;
    return h("header.toolbar", { key: "toolbar" },
        iconButton({ title: "Sidebar", icon: icon("sidebar"), id: "sidebar", "aria-pressed": String(data.showsSidebar), action: () => data.set({ showsSidebar: !data.showsSidebar }) }),
        h("div.document", null, h("h1", { title: plainText(data.schema.path) }, modelText(data.schema.name)),
            h("span.document-state", { id: "document-state" }, stateWords(data))),
        (data.schema.hasModel || data.schema.hasMapping) && h("div.segments", { role: "group", "aria-label": "Model or data", key: "sides" },
            data.schema.hasModel && h("a.segment", { href: "/", id: "side-model" }, icon("table"), "Model"),
            data.schema.hasMapping && h("a.segment", { href: "/mapping", id: "side-mapping" }, icon("compare"), "Mapping"),
            h("a.segment", { href: "/data", id: "side-data", "aria-current": "page" }, icon("data"), "Data")),
        h("div.spacer"),
        data.edits && editTools(app),
        button({ title: "SQL", icon: icon("code"), id: "sql", "aria-pressed": String(data.panel === "sql"), disabled: !data.source, action: () => (data.panel === "sql" ? data.set({ panel: null }) : data.explain()) }),
        button({ title: "Columns", icon: icon("table"), id: "columns", disabled: !data.source, action: () => columnsDialog(app) }),
        button({ title: "Export", icon: icon("export"), id: "export", disabled: !data.source, action: () => exportDialog(app) }),
        iconButton({
            title: "Inspector", icon: icon("inspector"), id: "inspector", "aria-pressed": String(data.showsInspector), disabled: !data.source,
            action: () => {
                data.set({ showsInspector: !data.showsInspector });
                const row = data.source?.row(data.index);
                if (!data.showsInspector) return;
                if (row) data.inspect(row.id, data.index);
                else data.readObject();
            },
        }));
}

function stateWords({ edits, isConnected }) {
    if (!edits) return isConnected ? "Read only" : "The studio can't be reached";
    const { count } = edits.state;
    if (!edits.isConnected) return "The studio can't be reached";
    return count ? `${grouped(count)} not saved` : "All saved";
}

/** What the user should know of the store: the first note, and the others on demand. */
function notes(lines) {
    const isWarning = lines.some((line) => line.startsWith("warning: "));
    const [first, ...others] = lines.map((line) => line.replace(/^(note|warning): /u, "")).map((line) => line.charAt(0).toUpperCase() + line.slice(1));
    return h("div.banner", { key: "notes", role: "status", class: isWarning ? "warning" : "note" }, icon(isWarning ? "warning" : "note"),
        others.length === 0 ? h("span", null, sentence(first)) : h("details.notes", null, h("summary", null, sentence(first)),
            others.map((line) => h("p", { key: line }, sentence(line)))));
}

/** The places that led here. */
function trail({ data }) {
    return h("nav.trail", { "aria-label": "Way here", key: "trail" }, h("ol", null, data.trail.map((place, index) => h("li", { key: index },
        index > 0 && icon("right"),
        index < data.trail.length - 1
            ? h("button.crumb", { type: "button", onclick: () => data.back(index) }, modelText(place.title))
            : h("span.crumb", { "aria-current": "page" }, index === 0 && (place.entity === null ? icon("history") : badge("entity")), modelText(place.title))))));
}

function rows(app) {
    const { data } = app;
    return h("div.grid-frame", { key: "rows" },
        h("div.grid", {
            id: "rows", role: "grid", tabindex: "0", "aria-label": "Rows", "aria-multiselectable": "false", isOpaque: true, key: "grid",
            ref: (element) => { app.grid = new Grid(element, actions(app)); app.grid.onDraw = (first, last) => seen(first, last, data); },
        }),
        data.error && h("div.grid-message", { role: "alert", key: "error" }, icon("error"), h("p", null, sentence(data.error))),
        !data.error && data.source?.isTotalKnown && data.source.total === 0 && h("div.grid-message", { role: "status", key: "empty" }, h(
            "p", null, data.place.predicate ? "No object fits the filter." : "There are no objects here."
        )));
}

function actions(app) {
    const { data } = app;
    return {
        select: (row, index) => data.inspect(row.id, index),
        open: (row, column, value) => open(app, row, column, value),
        sort: (column, isAdded) => data.sortBy(column, isAdded),
        menu: (cell, at) => cellMenu(app, cell, at),
        resize: (column, width) => data.setColumn(column.name, { width: Math.round(width) }),
        move: (column, to) => data.moveColumn(column.name, to),
        edit: (at) => editCell(app, app.grid, at),
        drag: (event, row) => dragRow(app, app.grid, event, row),
    };
}

/** Says which rows are seen, without drawing the window. */
function seen(first, last, data) {
    const label = document.getElementById("seen");
    if (label) label.textContent = data.source?.total ? `${grouped(first + 1)}–${grouped(last)}` : "";
}

function totalWords({ source, error, countError }) {
    if (error) return "Not counted";
    if (countError) return ["Not counted: ", sentence(countError)];
    if (!source?.isTotalKnown) return "Counting…";
    return `${grouped(source.total)} ${source.total === 1 ? "object" : "objects"}`;
}

function foot(app) {
    const { data } = app;
    const total = data.source?.total ?? 0;
    const subentities = data.subentities(data.place.entity);
    return h("footer.grid-foot", { key: "foot" },
        h("span", { id: "total", role: "status" }, totalWords(data)),
        h("span.quiet", { id: "seen", isOpaque: true, key: "seen" }),
        h("div.spacer"),
        subentities.length > 0 && !data.place.object && checkField({
            label: "Subentities", value: data.place.includesSubentities, id: "subentities", commit: (value) => data.ask({ includesSubentities: value }),
        }),
        iconButton({ title: "First row", icon: icon("first"), id: "first", disabled: !total, action: () => { app.grid.go(0, app.grid.active.column); app.grid.root.focus(); } }),
        iconButton({ title: "Last row", icon: icon("last"), id: "last", disabled: !total, action: () => { app.grid.go(total - 1, app.grid.active.column); app.grid.root.focus(); } }));
}
