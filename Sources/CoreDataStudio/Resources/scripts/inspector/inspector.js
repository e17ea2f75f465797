import { folding } from "../ui/folding.js";
import { h } from "../ui/view.js";
import { badge } from "../ui/icons.js";
import { kindTitles } from "../model/types.js";
import { problemList } from "../views/problems.js";
import { attributeGroups } from "./attribute.js";
import {
    compositeGroups, configurationGroups, fetchRequestGroups, fetchedPropertyGroups, versionGroups
} from "./others.js";
import { entityGroups } from "./entity.js";
import { relationshipGroups } from "./relationship.js";

/**
 * Everything that can be said of the selected element.
 *
 * A group is a title and its rows; a row is a label with a field, or something of its own.
 * @typedef {{title: string, rows: any[], isHidden?: boolean}} Group
 */
const groupsOfKind = {
    entity: entityGroups, attribute: attributeGroups, relationship: relationshipGroups, fetchedProperty: fetchedPropertyGroups,
    fetchRequest: fetchRequestGroups, configuration: configurationGroups, composite: compositeGroups, version: versionGroups,
};

export function inspector(app) {
    const { workspace, store } = app;
    const record = workspace.inspected;
    const groups = record ? groupsOfKind[record.kind]?.(app, record) ?? [] : [];
    const problems = store.problems.filter((problem) => problem.element === record?.id);
    return h("aside.inspector", {
        "aria-label": "Inspector", hidden: !workspace.showsInspector || Boolean(workspace.comparison), key: "inspector"
    },
        record && h("div.inspector-scroll", { key: record.id },
            h("header.inspector-head", null, badge(record.kind), h("h2", null, kindTitles[record.kind]),
                workspace.selection.length > 1 && h("span.count", null, `${workspace.selection.length} selected`)),
            problems.length > 0 && h(
                "section.inspector-problems", { "aria-label": "Problems of this element" },
                problemList(app, problems, { isShort: true })
            ),
            groups.filter((group) => group && !group.isHidden).map((group) => folding("details.group", {
                key: group.title, "data-group": group.title, isOpen: !app.closedGroups.has(group.title),
                folded: (isOpen) => remember(app, group.title, isOpen),
            }, h("h3", null, group.title), h("div.group-rows", null, group.rows)))));
}

function remember(app, title, isOpen) {
    if (isOpen) app.closedGroups.delete(title);
    else app.closedGroups.add(title);
}
