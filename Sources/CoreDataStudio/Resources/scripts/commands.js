import { selectAllAround, stepSelection } from "./ui/walking.js";
import { generate } from "./code/codePanel.js";
import { entities, properties } from "./model/queries.js";
import { documentChoices, documentCommands } from "./documents/commands.js";
import { documents } from "./documents/documents.js";
import { saveAsDialog } from "./documents/saveAsDialog.js";
import { showDialog } from "./ui/dialogs.js";
import { openPalette } from "./ui/palette.js";
import { isInField, matches, shortcutTitle } from "./ui/shortcuts.js";
import { exportCommands } from "./exchange/exporting.js";
import { isEdited } from "./ui/view.js";
import { h } from "./ui/view.js";
import { versionsDialog } from "./views/versions.js";

/**
 * Everything that can be done, by name: for buttons, menus, the palette and the keyboard.
 *
 * @typedef {{title: () => string, run: () => any, shortcut?: string, key?: string, isEnabled?: () => boolean, isOn?: () => boolean}} Command
 * `shortcut` works everywhere, `key` where one does not type.
 */
export class Commands {
    /** @type {Map<string, Command>} */
    #commands;

    constructor(app) {
        this.app = app;
        this.#commands = new Map(Object.entries(commands(app)));
    }

    /** @param {string} id @returns {Command} */
    get(id) {
        const command = this.#commands.get(id);
        if (!command) throw new Error(`There is no command ${id}.`);
        return command;
    }

    run(id) {
        const command = this.get(id);
        if (command.isEnabled?.() ?? true) return command.run();
    }

    /** Shows two versions, `disk:` or `saved:` ones too, side by side. */
    compare(from, to) {
        this.app.workspace.set({ comparison: { from, to, mode: "list", result: null, error: null, key: "" } });
    }

    /** Listens to the keyboard. */
    listen() {
        document.addEventListener("keydown", (event) => this.#press(event));
    }

    #press(event) {
        if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
        for (const [id, command] of this.#commands) {
            const isWide = command.shortcut && matches(event, command.shortcut);
            const isNarrow = command.key && isAtThings(event) && matches(event, command.key);
            if (!isWide && !isNarrow) continue;
            // A field that is being typed in undoes its own typing.
            if ((id === "undo" || id === "redo") && isEdited(event.target)) return;
            event.preventDefault();
            this.run(id);
            return;
        }
        if (isAtThings(event)) stepSelection(this.app, event);
    }

    /** What the palette offers: the commands, and everything in the model. */
    choices() {
        const { store, workspace } = this.app;
        const all = [...this.#commands].filter(([id, command]) => id !== "palette" && (command.isEnabled?.() ?? true)).map(([id, command]) => ({
            title: command.title(), shortcut: command.shortcut ? shortcutTitle(command.shortcut) : command.key && shortcutTitle(command.key), run: () => this.run(id),
        }));
        const go = (record, title) => ({
            title, kind: record.kind, detail: "Go to", run: () => workspace.reveal(record.id, "name")
        });
        const things = entities(store).flatMap((entity) => [
            go(entity, entity.name),
            ...properties(store, entity).map((property) => go(property, `${entity.name}.${property.name}`))
        ]);
        const others = [
            "fetchRequests", "configurations", "composites"
        ].flatMap((list) => store.list(store.model[list])).map((record) => go(record, record.name));
        return [...all, ...documentChoices(), ...things, ...others];
    }
}

/** @returns {Object<string, Command>} */
function commands(app) {
    const { store, workspace, editing } = app;
    const isEntity = () => ["entity", "composite"].includes(workspace.edited?.kind);
    const add = (title, run, key, isEnabled) => ({ title: () => title, run, key, isEnabled });
    const panel = (name) => () => workspace.set({ panel: workspace.panel === name ? null : name });
    const onGraph = (name) => () => {
        if (workspace.style === "graph" && !workspace.comparison && app.graph) return app.graph[name]();
        workspace.set({ style: "graph", comparison: null });
        requestAnimationFrame(() => app.graph?.[name]());
    };
    return {
        save: { title: () => "Save", shortcut: "mod+s", run: () => save(app) },
        ...documentCommands(app),
        undo: {
            title: () => `Undo${store.undoTitle ? ` ${store.undoTitle}` : ""}`, shortcut: "mod+z",
            isEnabled: () => Boolean(store.undoTitle), run: () => store.undo()
        },
        redo: {
            title: () => `Redo${store.redoTitle ? ` ${store.redoTitle}` : ""}`, shortcut: "mod+shift+z",
            isEnabled: () => Boolean(store.redoTitle), run: () => store.redo()
        },
        palette: {
            title: () => "Command Palette", shortcut: "mod+k", run: () => openPalette(() => app.commands.choices())
        },
        addEntity: add(
            "Add Entity", () => editing.addEntity(workspace.style === "graph" ? app.graph?.freePlace() : undefined), "e"
        ),
        addSubentity: add(
            "Add Subentity", () => editing.addSubentity(workspace.edited.id), undefined,
            () => workspace.edited?.kind === "entity"
        ),
        addAttribute: add("Add Attribute", () => editing.addAttribute(), "a", isEntity),
        addRelationship: add(
            "Add Relationship", () => editing.addRelationship(), "r", () => workspace.edited?.kind === "entity"
        ),
        addFetchedProperty: add(
            "Add Fetched Property", () => editing.addFetchedProperty(), "p", () => workspace.edited?.kind === "entity"
        ),
        addFetchRequest: add("Add Fetch Request", () => editing.addFetchRequest(), "f"),
        addConfiguration: add("Add Configuration", () => editing.addConfiguration()),
        addComposite: add("Add Composite", () => editing.addComposite()),
        addVersion: add("Add Model Version", () => editing.addVersion(), undefined, () => store.document.holdsVersions),
        duplicate: add("Duplicate", () => editing.duplicateSelection(), "d", () => workspace.selection.length > 0),
        copy: {
            title: () => "Copy", key: "mod+c", isEnabled: () => workspace.selection.length > 0,
            run: () => editing.copySelection()
        },
        paste: {
            title: () => "Paste", key: "mod+v", isEnabled: () => workspace.clipboard.length > 0,
            run: () => editing.paste()
        },
        sort: {
            title: () => "Sort Lists as Xcode Writes Them",
            isEnabled: () => ["entity", "composite", "version"].includes(workspace.edited?.kind),
            run: () => store.perform([{ kind: "sort", element: workspace.edited.id }])
        },
        selectAll: { title: () => "Select All", key: "mod+a", run: () => selectAllAround(app) },
        rename: {
            title: () => "Rename", key: "f2", isEnabled: () => workspace.selection.length === 1,
            run: () => (workspace.style === "graph" && !workspace.comparison && ["entity", "composite"].includes(workspace.edited?.kind)
                ? app.graph?.rename(workspace.selection[0]) : workspace.reveal(workspace.selection[0], "name"))
        },
        delete: {
            title: () => "Delete", key: "delete", isEnabled: () => workspace.selection.length > 0,
            run: () => editing.deleteSelection()
        },
        moveUp: {
            title: () => "Move Up", isEnabled: () => workspace.selection.length > 0,
            run: () => editing.shift(workspace.selection.at(-1), -1)
        },
        moveDown: {
            title: () => "Move Down", isEnabled: () => workspace.selection.length > 0,
            run: () => editing.shift(workspace.selection.at(-1), 1)
        },
        table: { title: () => "Table Style", key: "t", run: () => workspace.set({ style: "table", comparison: null }) },
        graph: { title: () => "Graph Style", key: "g", run: () => workspace.set({ style: "graph", comparison: null }) },
        fit: { title: () => "Fit Graph", key: "0", run: onGraph("fit") },
        arrange: { title: () => "Arrange Graph", run: onGraph("arrange") },
        exportSVG: { title: () => "Export Graph as SVG", run: onGraph("exportSVG") },
        exportPNG: { title: () => "Export Graph as PNG", run: onGraph("exportPNG") },
        ...exportCommands(app),
        problems: { title: () => "Problems", shortcut: "mod+shift+m", run: panel("problems") },
        code: { title: () => "Code", run: panel("code") },
        source: { title: () => "Source of the Document", run: panel("source") },
        generate: { title: () => "Generate Classes into a Folder…", run: () => generate(app) },
        versions: { title: () => "Model Versions…", run: () => versionsDialog(app) },
        compareSaved: {
            title: () => "Compare with Last Save",
            run: () => app.commands.compare(`saved:${store.version}`, store.version)
        },
        modelSettings: { title: () => "Model Settings", run: () => workspace.reveal(store.version) },
        search: {
            title: () => "Search", key: "/",
            run: () => { workspace.set({ showsSidebar: true }); requestAnimationFrame(() => document.getElementById("search")?.focus()); }
        },
        sidebar: {
            title: () => "Sidebar", shortcut: "mod+alt+b", isOn: () => workspace.showsSidebar,
            run: () => workspace.set({ showsSidebar: !workspace.showsSidebar })
        },
        inspector: {
            title: () => "Inspector", shortcut: "mod+alt+i", isOn: () => workspace.showsInspector,
            run: () => workspace.set({ showsInspector: !workspace.showsInspector })
        },
        resetColumns: {
            title: () => "Reset Column Widths", isEnabled: () => app.columnWidths.size > 0,
            run: () => { app.columnWidths.clear(); workspace.changed(); }
        },
        shortcuts: { title: () => "Keyboard Shortcuts", key: "?", run: () => showShortcuts(app) },
    };
}

/** Whether single keys are commands: they are wherever one does not type and no menu is open. */
function isAtThings(event) {
    if (event.target.closest?.(".menu")) return false;
    // A pop-up finds its choices by letters and arrows; it has no use for other keys.
    if (event.target instanceof HTMLSelectElement) return event.ctrlKey || event.metaKey || ["Delete", "Backspace", "F2"].includes(event.key);
    return !isInField(event);
}

async function save(app) {
    if (documents.own?.isCopy) return saveAsDialog(app);
    const update = await app.editing.save();
    if (update) app.toasts.show("Saved");
}

function showShortcuts(app) {
    const keys = app.commands.choices().filter((choice) => choice.shortcut);
    const others = [[shortcutTitle("alt+1…9"), "The first to the ninth document"], ["↑ ↓", "The row above or below, in tables and lists"], ["Shift+↑ ↓", "Select several"], ["Menu, Shift+F10", "Context menu"], ["Esc", "From a field to its row"], [
        shortcutTitle("alt+arrowup"), "Move a row up (or down)"
    ], [shortcutTitle("mod+delete"), "Delete a row"],
        ["Esc, while typing", "Take back what was typed"], [
            "Arrow keys, in the graph", "The nearest entity; with Shift, move it"
        ]];
    showDialog({
        title: "Keyboard Shortcuts", body: () => h("table.shortcuts", null, h("tbody", null,
            [...keys.map(({ shortcut, title }) => [shortcut, title]), ...others].map(([key, title]) => h(
                "tr", { key: title }, h("td", null, h("kbd", null, key)), h("td", null, title)
            )))),
        actions: [{ title: "Close", value: true, isDefault: true }],
    });
}
