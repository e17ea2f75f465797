import { button } from "../../ui/fields.js";
import { icon } from "../../ui/icons.js";
import { modelText, sentence, visible } from "../../ui/text.js";
import { h } from "../../ui/view.js";
import { grouped, shown } from "../cells.js";
import { discard, save } from "./commands.js";
import { isNew } from "./picker.js";

const signs = { inserted: "add", updated: "pencil", deleted: "remove" };

/** All that is not saved, object by object, with what is wrong with it. */
export function changesPanel(app) {
    const { edits } = app.data;
    const { changes, count } = edits.state;
    if (!count) return h("p.empty", { role: "status", id: "no-changes" }, "All is saved.");
    return h("div.change-list", null,
        h("div.panel-tools", { key: "tools" }, h("span", null, sentence(`${grouped(count)} changed ${count === 1 ? "object" : "objects"}`)), h("div.spacer"),
            button({ title: "Give Up…", class: "small", id: "discard", action: () => discard(app) }),
            button({ title: "Save", class: "small primary", id: "save-all", action: () => save(app) })),
        h("ol", { key: "list", "aria-label": "Changes" }, problemsElsewhere(app), changes.map((change) => h("li", { key: change.id }, changeView(app, change)))),
        changes.length < count && h("p.empty", { key: "rest" }, `and ${grouped(count - changes.length)} more`));
}

/** What a save found wrong with objects that have no change of their own, such as a team that gets too many players. */
function problemsElsewhere({ data }) {
    const { problems, state: { changes } } = data.edits;
    const others = problems.filter(({ object }) => object && !changes.some(({ id }) => id === object));
    return others.map(({ object, message }) => h("li.elsewhere", { key: `${object} ${message}` },
        h("div.change-head", null, icon("error"), h("button.link", { type: "button", onclick: () => data.openObject(object, object) }, modelText(object))),
        h("p.field-error", null, sentence(message))));
}

function changeView(app, change) {
    const { data } = app;
    const title = change.title ?? change.entity;
    return [
        h("div.change-head", { class: change.kind }, icon(signs[change.kind]), h("span.unseen", null, change.kind),
            change.kind === "deleted" ? h("span", null, modelText(title))
                : h("button.link", { type: "button", onclick: () => data.openObject(change.id, title) }, modelText(title)),
            h("span.quiet", null, isNew(change.id) ? `new ${change.entity}` : change.id)),
        data.edits.problemsOf(change.id).map((problem) => h("p.field-error", { key: problem.message }, sentence(problem.message))),
        change.properties.map((property) => h("div.change-value", { key: property.name }, h("span.tree-name", null, modelText(property.name)),
            h("del", { class: shown(property.old, property).class ?? "" }, visible(shown(property.old, property).text)), icon("right"), h("ins", null, visible(shown(property.new, property).text)))),
    ];
}
