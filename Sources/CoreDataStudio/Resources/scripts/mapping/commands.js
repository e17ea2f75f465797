import { documentChoices, documentCommandChoices } from "../documents/commands.js";
import { showDialog } from "../ui/dialogs.js";
import { openPalette } from "../ui/palette.js";
import { isInField, matches, shortcutTitle } from "../ui/shortcuts.js";
import { isEdited } from "../ui/view.js";
import { h } from "../ui/view.js";
import { addMapping } from "./addMapping.js";
import { migrate } from "./job.js";

/** Everything that can be done, by name: for buttons, the palette and the keyboard. */
export class Commands {
    constructor(app) {
        this.app = app;
        this.all = commands(app);
    }

    get(id) { return this.all[id]; }

    run(id) {
        const command = this.all[id];
        if (command.isEnabled?.() ?? true) return command.run();
    }

    listen() { document.addEventListener("keydown", (event) => this.#press(event)); }

    /** What the palette finds: commands, and all mappings. */
    choices() {
        const { store, workspace } = this.app;
        const own = Object.entries(this.all).filter(([, command]) => command.isEnabled?.() ?? true).map(([id, command]) => ({
            title: command.title(), shortcut: command.shortcut ? shortcutTitle(command.shortcut) : command.key && shortcutTitle(command.key), run: () => this.run(id),
        }));
        const mappings = store.mappings.map((record) => ({ title: record.name, detail: "Entity mapping", kind: "entity", run: () => workspace.select(record.id) }));
        return [...own, ...documentCommandChoices(this.app), ...documentChoices(), ...mappings];
    }

    #press(event) {
        if (event.defaultPrevented || document.querySelector("dialog[open], .menu")) return;
        for (const [id, command] of Object.entries(this.all)) {
            const isWide = command.shortcut && matches(event, command.shortcut);
            const isNarrow = command.key && !isInField(event) && matches(event, command.key);
            if (!isWide && !isNarrow) continue;
            // A field that is being typed in undoes its own typing.
            if ((id === "undo" || id === "redo") && isEdited(event.target)) return;
            event.preventDefault();
            this.run(id);
            return;
        }
    }
}

function commands(app) {
    const { store, workspace, editing } = app;
    const selected = () => workspace.selected;
    const isElement = () => selected()?.kind !== "mappingModel";
    return {
        save: { title: () => "Save", shortcut: "mod+s", isEnabled: () => store.isDirty || store.document.isNew, run: () => save(app) },
        undo: { title: () => (store.undo ? `Undo ${store.undo}` : "Undo"), shortcut: "mod+z", isEnabled: () => Boolean(store.undo), run: () => store.step("undo") },
        redo: { title: () => (store.redo ? `Redo ${store.redo}` : "Redo"), shortcut: "mod+shift+z", isEnabled: () => Boolean(store.redo), run: () => store.step("redo") },
        add: { title: () => "Add Entity Mapping…", key: "a", run: () => addMapping(app) },
        addMissing: {
            title: () => "Add Missing Properties", isEnabled: () => Boolean(workspace.entityMapping),
            run: () => store.perform([{ kind: "addMissingProperties", element: workspace.entityMapping.id }]),
        },
        duplicate: {
            title: () => "Duplicate Entity Mapping", shortcut: "mod+d", isEnabled: () => selected()?.kind === "entityMapping",
            run: () => editing.add({ kind: "duplicate", element: selected().id }),
        },
        delete: { title: () => "Delete Mapping", key: "delete", isEnabled: isElement, run: () => editing.delete(selected()) },
        settings: { title: () => "Models of the Mapping", run: () => workspace.reveal("mapping") },
        dryRun: { title: () => "Dry Run", shortcut: "mod+alt+r", isEnabled: () => Boolean(store.opened), run: () => dryRun(app) },
        migrate: { title: () => "Migrate Store…", isEnabled: () => Boolean(store.opened?.isEdited), run: () => migrate(app) },
        problems: { title: () => "Problems", shortcut: "mod+alt+p", run: () => togglePanel(workspace, "problems") },
        source: { title: () => "Source", run: () => togglePanel(workspace, "source") },
        sidebar: { title: () => "Sidebar", shortcut: "mod+alt+b", isOn: () => workspace.showsSidebar, run: () => workspace.set({ showsSidebar: !workspace.showsSidebar }) },
        inspector: { title: () => "Inspector", shortcut: "mod+alt+i", isOn: () => workspace.showsInspector, run: () => workspace.set({ showsInspector: !workspace.showsInspector }) },
        palette: { title: () => "Command Palette", shortcut: "mod+k", run: () => openPalette(() => app.commands.choices()) },
    };
}

function togglePanel(workspace, panel) {
    workspace.set({ panel: workspace.panel === panel ? null : panel });
}

async function dryRun({ store, workspace }) {
    if (await store.ask("dry-run")) workspace.set({ panel: "job" });
}

async function save(app) {
    document.activeElement?.matches?.("textarea, input") && document.activeElement.blur();
    const answer = await app.store.save();
    if (answer instanceof Error) return resolve(app, answer.message);
    if (answer) app.toasts.show("Saved");
}

/** Another program wrote the file. */
async function resolve(app, message) {
    const choice = await showDialog({
        title: "The file was changed on disk", body: () => h("p", null, message),
        actions: [{ title: "Cancel", value: null }, { title: "Read It Again", value: "reload" }, { title: "Save Over It", value: "save", isDestructive: true }],
    });
    if (choice === "reload") await app.store.reload();
    else if (choice === "save" && await app.store.save(true)) app.toasts.show("Saved");
}
