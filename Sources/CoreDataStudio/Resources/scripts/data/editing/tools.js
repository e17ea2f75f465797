import { button, iconButton } from "../../ui/fields.js";
import { icon } from "../../ui/icons.js";
import { shortcutTitle } from "../../ui/shortcuts.js";
import { h } from "../../ui/view.js";
import { grouped } from "../cells.js";
import { chooseImport } from "./importDialog.js";
import { activeObject, addMember, addObject, deleteObject, save, step } from "./commands.js";
import { relationshipOf } from "./members.js";

/** What changes objects, in the toolbar. */
export function editTools(app) {
    const { data } = app;
    const { count, undo, redo } = data.edits.state;
    const relationship = relationshipOf(data, data.place);
    const hasObject = Boolean(data.source && activeObject(app));
    return h("div.edit-tools", { key: "edit-tools", role: "group", "aria-label": "Changes" },
        iconButton({ title: relationship ? `New object in ${relationship.name}` : "New object", icon: icon("add"), id: "new-object", shortcut: "Insert", disabled: !data.source, action: () => addObject(app) }),
        relationship && button({ title: "Add…", label: `Add to ${relationship.name}`, id: "add-member", action: () => addMember(app, data.place.member.object, relationship) }),
        iconButton({ title: "Delete object", icon: icon("remove"), id: "delete-object", shortcut: "Delete", disabled: !hasObject, action: () => deleteObject(app) }),
        iconButton({ title: "Import a file", icon: icon("file"), id: "import", disabled: !data.source, action: () => chooseImport(app) }),
        iconButton({ title: undo ? `Undo ${undo}` : "Undo", icon: icon("undo"), id: "undo", shortcut: shortcutTitle("mod+z"), disabled: !undo, action: () => step(app, "undo") }),
        iconButton({ title: redo ? `Redo ${redo}` : "Redo", icon: icon("redo"), id: "redo", shortcut: shortcutTitle("mod+shift+z"), disabled: !redo, action: () => step(app, "redo") }),
        button({
            title: count ? `Changes (${grouped(count)})` : "Changes", icon: icon("compare"), id: "changes", "aria-pressed": String(data.panel === "changes"),
            action: () => data.set({ panel: data.panel === "changes" ? null : "changes" }),
        }),
        button({ title: "Save", icon: icon("save"), id: "save", class: count ? "primary" : "", shortcut: shortcutTitle("mod+s"), disabled: !count, action: () => save(app) }));
}
