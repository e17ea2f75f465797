import { post } from "../net/api.js";
import { selectField, textField } from "../ui/fields.js";
import { showDialog, showMessage } from "../ui/dialogs.js";
import { h } from "../ui/view.js";

/** Makes a mapping model of what is inferred from two versions, and goes to it. */
export async function newMapping(app, destination = app.store.currentVersion) {
    const { store } = app;
    const versions = store.list(store.versions);
    const name = (id) => store.record(id)?.name;
    const before = versions.filter(({ id }) => id !== destination).at(-1)?.id ?? destination;
    const values = { source: name(before), destination: name(destination), name: null };
    const title = () => values.name ?? `${values.source}To${values.destination}`.replaceAll(" ", "");
    const choices = versions.map((version) => [version.name, version.name]);
    const row = (label, field) => h("label.dialog-field", { key: label }, h("span", null, label), field);
    const answer = await showDialog({
        title: "New Mapping Model", body: (redraw) => {
            const set = (field) => (value) => { values[field] = value || null; redraw(); };
            return [
                h("p.quiet", { key: "words" }, "What can be inferred from both versions is the beginning. The file is written when it is saved."),
                row("From", selectField({ label: "From", value: values.source, choices, commit: set("source") })),
                row("To", selectField({ label: "To", value: values.destination, choices, commit: set("destination") })),
                row("Name", textField({ label: "Name", value: title(), commit: set("name") })),
            ];
        },
        actions: [{ title: "Cancel", value: null }, { title: "Make Mapping", value: true, isDefault: true, isEnabled: () => values.source !== values.destination }],
    });
    if (!answer) return;
    try {
        const { document: id } = await post("mapping/new", { ...values, name: title() });
        app.isGoingToData = true;
        location.assign(`/mapping?document=${id}`);
    } catch (error) {
        await showMessage("The mapping model can't be made", error.message);
    }
}
