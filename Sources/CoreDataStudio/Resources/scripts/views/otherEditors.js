import { h } from "../ui/view.js";
import { badge, icon } from "../ui/icons.js";
import { button, checkField, selectField, textField } from "../ui/fields.js";
import { entities } from "../model/queries.js";
import { field } from "../inspector/binding.js";
import { predicateField } from "../inspector/predicateField.js";
import { columnEdge, columnGroup } from "../ui/columns.js";
import { modelText, sentence } from "../ui/text.js";
import { snippet } from "../code/snippet.js";

/** What stands in the editor for a fetch request, a configuration, a version. */

function head(app, record) {
    return h("div.editor-head", null, badge(record.kind), textField({
        ...field(
            app, record, "name", `Name of ${record.name}`
        ), class: "title", commit: (name) => app.editing.rename(record.id, name),
    }));
}

export function fetchRequestEditor(app, record) {
    const choices = [[null, "None"], ...entities(app.store).map(({ id, name }) => [id, name])];
    return h("div.editor-scroll", { key: record.id }, head(app, record),
        h("section.sentence", { "aria-label": "Fetch request" },
            h("div.sentence-line", null, h("span", null, "Fetch all "),
                selectField({
                    ...field(app, record, "entity", "Entity to fetch"), choices, placeholder: record.entityName
                }), h("span", null, " objects where")),
            predicateField(app, record, "predicate", {
                label: `Predicate of ${record.name}`, use: "fetchRequest", entity: record.entity, rows: 4, placeholder: "All of them. Type a predicate, such as name BEGINSWITH $NAME",
            })),
        snippet(app, record));
}

export function configurationEditor(app, record) {
    const { store } = app;
    const members = new Set(record.entities ?? []);
    return h("div.editor-scroll", { key: record.id }, head(app, record),
        h("section.properties", { "aria-label": "Entities of the configuration" },
            h("div.table-scroll", null, h("table", { "aria-label": "Entities of the configuration" },
                columnGroup(app.columnWidths, "members"),
                h("thead", { key: "head" }, memberHeads(app)),
                h("tbody", { key: "members" }, entities(store).map((entity) => h("tr", { key: entity.id },
                    h("td.check-column", null, checkField({
                        label: `${entity.name} belongs to ${record.name}`, value: members.has(entity.id), hidesLabel: true, element: entity.id, field: "member",
                        commit: (isMember) => store.perform([{
                            kind: "setMembership", configuration: record.id, entity: entity.id, isMember
                        }]),
                    })),
                    h(
                        "td", null,
                        h(
                            "div.name-cell", null, badge("entity"),
                            h(
                                "button.link", { type: "button", onclick: () => app.workspace.reveal(entity.id) },
                                modelText(entity.name)
                            )
                        )
                    ),
                    h("td.quiet.text-cell", null, modelText(entity.className ?? "NSManagedObject"))))))),
            (record.unknownEntities ?? []).length > 0 && h(
                "p.empty", null, sentence(`Not in the model: “${record.unknownEntities.join("”, “")}”.`)
            )));
}

function memberHeads({ columnWidths, workspace }) {
    const edge = (index) => columnEdge(columnWidths, "members", index, () => workspace.changed());
    return h("tr", null, h("th.check-column", { scope: "col" }, "Member", edge(0)),
        h("th", { scope: "col" }, "Entity", edge(1)), h("th", { scope: "col" }, "Class"));
}

export function versionEditor(app, record) {
    const { store, commands } = app;
    return h("div.editor-scroll", { key: record.id }, h(
        "div.editor-head", null, badge("version"), h("h2.title", null, modelText(record.name))
    ),
        h("section.welcome", null,
            h("p", null, store.list(record.entities).length === 0
                ? "This model has no entities yet. An entity is a kind of thing that your app keeps: a person, a note, a team."
                : "Choose something in the sidebar."),
            button({
                title: "Add Entity", icon: icon("add"), class: "primary", action: () => commands.run("addEntity")
            })));
}
