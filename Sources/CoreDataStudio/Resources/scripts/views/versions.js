import { h } from "../ui/view.js";
import { showDialog } from "../ui/dialogs.js";
import { newMapping } from "./newMapping.js";

/** The versions of the document: which there are, which is current, adding one, comparing two. */
export async function versionsDialog(app) {
    const { store, editing, commands } = app;
    let chosen = store.version;
    const answer = await showDialog({
        title: "Model Versions", class: "medium", body: (redraw) => [
            h("fieldset.version-list", null, h(
                "legend.unseen", null, "Versions"
            ), store.list(store.versions).map((version) => h("label.version-row", { key: version.id },
                h(
                    "input",
                    {
                        type: "radio", name: "version", value: version.id, checked: version.id === chosen,
                        onchange: () => { chosen = version.id; redraw(); }
                    }
                ),
                h("span", null, version.name), version.id === store.currentVersion && h("span.tag", null, "Current")))),
            h(
                "p.quiet", null,
                "A new version is a copy of the one that is shown, and comparing is with that one. Change a model that has shipped in a new version only: stores know their model by it."
            ),
        ],
        actions: [
            { title: "Close", value: null }, { title: "Add Version", value: "add" },
            { title: "New Mapping…", value: "mapping", isEnabled: () => store.versions.length > 1 },
            {
                title: "Delete", value: "delete", isDestructive: true,
                isEnabled: () => store.versions.length > 1 && chosen !== store.currentVersion
            },
            { title: "Compare", value: "compare", isEnabled: () => chosen !== store.version },
            { title: "Make Current", value: "current", isEnabled: () => chosen !== store.currentVersion },
            { title: "Show", value: "show", isDefault: true },
        ],
    });
    if (answer === "add") await editing.addVersion();
    else if (answer === "mapping") await newMapping(app, chosen);
    else if (answer === "delete") await store.perform([{ kind: "delete", elements: [chosen] }]);
    else if (answer === "compare") commands.compare(chosen, store.version);
    else if (answer === "current") await store.perform([{ kind: "setCurrentVersion", version: chosen }]);
    else if (answer === "show") { await store.load(chosen); app.workspace.select(null); }
}
