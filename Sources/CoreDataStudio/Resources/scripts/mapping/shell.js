import { button, iconButton } from "../ui/fields.js";
import { icon } from "../ui/icons.js";
import { shortcutTitle } from "../ui/shortcuts.js";
import { modelText, plainText, sentence } from "../ui/text.js";
import { h } from "../ui/view.js";
import { journalBanner, recoveryBanner } from "../views/banners.js";
import { columns } from "./columns.js";
import { inspector } from "./inspector.js";
import { jobPanel } from "./job.js";
import { problemsPanel } from "./problems.js";
import { propertyTable } from "./properties.js";
import { sidebar } from "./sidebar.js";
import { sourcePanel } from "./source.js";

/** The whole window. */
export function shell(app) {
    const { workspace } = app;
    return [
        h("a.skip-link", { href: "#editor", key: "skip" }, "Skip to the mapping"),
        toolbar(app),
        recoveryBanner(app.store, (choice) => app.store.recover(choice)),
        journalBanner(app.store),
        banner(app),
        h("div.columns", { key: "columns" }, sidebar(app),
            h("div.center", { key: "center" },
                h("main.editor.mapping-editor", { id: "editor", tabindex: "-1", "aria-label": "Mapping" }, columns(app), propertyTable(app)),
                workspace.panel && panel(app)),
            inspector(app)),
    ];
}

/** What can't be checked is said once, above all. */
function banner({ store }) {
    const missing = store.problems.filter(({ code }) => code === "missing-model");
    return missing.length > 0 && h("div.banner.warning", { key: "banner", role: "status" }, icon("warning"),
        h("span", null, missing.map(({ message }) => [sentence(message), " "])));
}

function toolbar(app) {
    const { store, workspace, commands } = app;
    const leave = () => { app.isLeaving = true; };
    return h("header.toolbar", { key: "toolbar" },
        command(app, "sidebar", "sidebar"),
        h("div.document", null, h("h1", { title: plainText(store.document.path) }, modelText(store.document.name)),
            h("span.document-state", { role: "status", id: "document-state" }, state(store))),
        h("div.toolbar-group", { role: "group", "aria-label": "Undo" }, command(app, "undo", "undo"), command(app, "redo", "redo")),
        h("div.toolbar-group", null, button({ title: "Add", icon: icon("add"), id: "add", shortcut: "A", action: () => commands.run("add") })),
        (store.hasModel || store.opened) && h("div.segments", { role: "group", "aria-label": "Model, mapping or data", key: "sides" },
            store.hasModel && h("a.segment", { href: "/", id: "side-model", onclick: leave }, icon("table"), h("span.wide-only", null, "Model")),
            h("a.segment", { href: "/mapping", id: "side-mapping", "aria-current": "page" }, icon("compare"), h("span.wide-only", null, "Mapping")),
            store.opened && h("a.segment", { href: `/data?document=${store.opened.id}`, id: "side-data", onclick: leave }, icon("data"), h("span.wide-only", null, "Data"))),
        h("div.spacer"),
        problemCount(app),
        store.opened && button({ title: "Dry Run", icon: icon("search"), id: "dry-run", shortcut: shortcutTitle("mod+alt+r"), action: () => commands.run("dryRun"), key: "dry" }),
        store.opened?.isEdited && button({ title: "Migrate…", icon: icon("right"), id: "migrate", action: () => commands.run("migrate"), key: "migrate" }),
        iconButton({ title: "Source", icon: icon("code"), id: "source", "aria-pressed": String(workspace.panel === "source"), action: () => commands.run("source") }),
        iconButton({ title: "Command Palette", shortcut: shortcutTitle("mod+k"), icon: icon("palette"), action: () => commands.run("palette"), id: "palette" }),
        button({
            title: "Save", icon: icon("save"), class: store.isDirty ? "primary" : "", disabled: !commands.get("save").isEnabled(),
            id: "save", shortcut: shortcutTitle("mod+s"), action: () => commands.run("save"),
        }),
        command(app, "inspector", "inspector"));
}

function state(store) {
    if (!store.isConnected) return "The studio can't be reached";
    return store.document.isNew ? "New" : store.isDirty ? "Edited" : "Saved";
}

function problemCount({ store, workspace, commands }) {
    const counts = ["error", "warning", "note"].map((severity) => [severity, store.problems.filter((problem) => problem.severity === severity).length]);
    const shown = counts.filter(([, count]) => count > 0);
    return h("button.problem-count", {
        type: "button", id: "problem-count", "aria-pressed": String(workspace.panel === "problems"), title: "Problems",
        "aria-label": `Problems: ${counts.map(([severity, count]) => `${count} ${severity}${count === 1 ? "" : "s"}`).join(", ")}`,
        onclick: () => commands.run("problems"),
    }, shown.length ? shown.map(([severity, count]) => h("span.mark", { class: severity, key: severity }, icon(severity), String(count)))
        : h("span.mark.good", null, icon("check"), h("span.wide-only", null, "No problems")));
}

function command({ commands }, id, picture) {
    const { title, shortcut, isEnabled, isOn } = commands.get(id);
    return iconButton({
        title: title(), icon: icon(picture), id, disabled: !(isEnabled?.() ?? true), action: () => commands.run(id),
        shortcut: shortcut && shortcutTitle(shortcut), "aria-pressed": isOn ? String(isOn()) : null,
    });
}

const panels = [["problems", "Problems"], ["job", "Dry Run"], ["source", "Source"]];

function panel(app) {
    const { workspace, store } = app;
    const content = { problems: problemsPanel, job: jobPanel, source: sourcePanel }[workspace.panel];
    const shown = panels.filter(([name]) => name !== "job" || store.opened);
    return h("section.panel", { key: "panel", "aria-label": "Panel", ref: (element) => { element.style.height = `${workspace.panelHeight}px`; } },
        h("div.panel-tabs", { role: "tablist", "aria-label": "Panel" }, shown.map(([name, title]) => h("button.tab", {
            type: "button", role: "tab", key: name, id: `tab-${name}`, "aria-selected": String(workspace.panel === name), "aria-controls": "panel-content",
            tabindex: workspace.panel === name ? "0" : "-1", onclick: () => workspace.set({ panel: name }),
            onkeydown: (event) => turn(event, workspace, shown),
        }, name === "job" && store.job?.kind === "migration" ? "Migration" : title)), h("div.spacer"),
        iconButton({ title: "Close panel", icon: icon("close"), id: "panel-close", action: () => workspace.set({ panel: null }) })),
        h("div.panel-content", { id: "panel-content", role: "tabpanel", "aria-labelledby": `tab-${workspace.panel}` }, content(app)));
}

function turn(event, workspace, shown) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const names = shown.map(([name]) => name);
    const next = names[(names.indexOf(workspace.panel) + step + names.length) % names.length];
    workspace.set({ panel: next });
    setTimeout(() => document.getElementById(`tab-${next}`)?.focus());
}
