import { documents } from "../documents/documents.js";
import { h } from "../ui/view.js";
import { icon } from "../ui/icons.js";
import { button, iconButton } from "../ui/fields.js";
import { openMenu } from "../ui/menus.js";
import { shortcutTitle } from "../ui/shortcuts.js";
import { modelText, plainText } from "../ui/text.js";

/** The bar along the upper edge: what the document is, and what one does most. */
export function toolbar(app) {
    const { store, workspace, commands } = app;
    const counts = ["error", "warning"].map((severity) => [
        severity, store.problems.filter((problem) => problem.severity === severity).length
    ]);
    return h("header.toolbar", { key: "toolbar" },
        command(app, "sidebar", "sidebar"),
        h("div.document", null, h("h1", { title: plainText(store.document.path) }, modelText(store.document.name)),
            h("span.document-state", { role: "status", id: "document-state" }, state(store))),
        h(
            "div.toolbar-group", { role: "group", "aria-label": "Undo" }, command(app, "undo", "undo"),
            command(app, "redo", "redo")
        ),
        h("div.toolbar-group", null, button({
            title: "Add", icon: icon("add"), id: "add", "aria-haspopup": "menu", "aria-expanded": "false",
            action: (event) => openMenu(event.currentTarget, addItems(app)),
        })),
        h(
            "div.segments", { role: "group", "aria-label": "Editor style" }, segment(app, "table", "Table"),
            segment(app, "graph", "Graph")
        ),
        app.hasMapping && h("a.segment.to-data", { href: "/mapping", id: "side-mapping", onclick: () => { app.isGoingToData = true; } }, icon("compare"), "Mapping"),
        app.hasStore && h("a.segment.to-data", { href: "/data", id: "side-data", onclick: () => { app.isGoingToData = true; } }, icon("data"), "Data"),
        h("div.spacer"),
        h("button.problem-count", {
            type: "button", id: "problem-count", "aria-pressed": String(workspace.panel === "problems"),
            "aria-label": `Problems: ${counts.map(([severity, count]) => `${count} ${severity}${count === 1 ? "" : "s"}`).join(", ")}`,
            title: "Problems", onclick: () => commands.run("problems"),
        }, counts.some(([, count]) => count > 0)
            ? counts.filter(([, count]) => count > 0).map(([severity, count]) => h(
                "span.mark", { class: severity, key: severity }, icon(severity), String(count)
            ))
            : h("span.mark.good", null, icon("check"), h("span.wide-only", null, "No problems"))),
        iconButton({
            title: "Code", icon: icon("code"), action: () => commands.run("code"),
            "aria-pressed": String(workspace.panel === "code"), id: "code"
        }),
        iconButton({
            title: "Command Palette", shortcut: shortcutTitle("mod+k"), icon: icon("palette"),
            action: () => commands.run("palette"), id: "palette"
        }),
        button({
            title: "Save", icon: icon("save"), class: store.isDirty ? "primary" : "", disabled: !store.isDirty && !documents.own?.isCopy,
            id: "save", shortcut: shortcutTitle("mod+s"), action: () => commands.run("save")
        }),
        command(app, "inspector", "inspector"));
}

function state(store) {
    if (store.hasEnded) return "The studio has ended";
    if (!store.isConnected) return "Connecting…";
    const version = store.versions.length > 1 ? store.record(store.version)?.name : null;
    const isCopy = documents.own?.isCopy;
    return [version && plainText(version), isCopy ? "A copy" : null, store.isDirty ? "Edited" : isCopy ? null : "Saved"].filter(Boolean).join(" — ");
}

function command({ commands }, id, picture) {
    const { title, shortcut, isEnabled, isOn } = commands.get(id);
    return iconButton({
        title: title(), icon: icon(picture), id, disabled: !(isEnabled?.() ?? true), action: () => commands.run(id),
        shortcut: shortcut && shortcutTitle(shortcut), "aria-pressed": isOn ? String(isOn()) : null,
    });
}

function segment({ workspace, commands }, style, title) {
    return h("button.segment", {
        type: "button", id: `style-${style}`, "aria-pressed": String(workspace.style === style && !workspace.comparison),
        onclick: () => commands.run(style),
    }, icon(style), h("span.wide-only", null, title), h("span.unseen", null, `${title} style`));
}

function addItems({ commands }) {
    return [
        "addEntity", "addAttribute", "addRelationship", "addFetchedProperty", null, "addFetchRequest",
        "addConfiguration", "addComposite", null, "addVersion"
    ]
        .map((id) => {
            if (!id) return null;
            const { title, isEnabled, key } = commands.get(id);
            return {
                title: title(), isDisabled: !(isEnabled?.() ?? true), action: () => commands.run(id),
                shortcut: key?.toUpperCase()
            };
        });
}
