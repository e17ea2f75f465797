import { folding } from "../ui/folding.js";
import { icon } from "../ui/icons.js";
import { modelText, sentence, visible } from "../ui/text.js";
import { h } from "../ui/view.js";
import { grouped, shown } from "./cells.js";
import { below } from "./objectTree.js";

/** The panel's tree: an object, its values, and the objects that it relates to, as far as one unfolds them. */
export function treeView({ data }) {
    const { tree } = data;
    return h("div.tree.object-tree", { id: "object-tree" }, objectBranch(data, tree, tree.root.id, tree.root, null));
}

/** @param {string?} name The to-one relationship that leads to the object. */
function objectBranch(data, tree, key, { id, title }, name) {
    const branch = tree.branch(key);
    return folding("details.tree-branch", { key, isOpen: branch.isOpen, folded: (isOpen) => tree.openObject(key, id, isOpen) },
        [name && label(name), modelText(title ?? id), " ", title && h("span.quiet", null, id)],
        branch.isOpen && [...state(branch), (branch.values ?? []).map((property) => value(data, tree, key, id, property)),
            branch.values && h("div.tree-leaf", { key: "show" }, h("button.link", { type: "button", onclick: () => data.openObject(id, title ?? id) }, "Show among the rows"))]);
}

function value(data, tree, key, owner, property) {
    const { name, kind, value: content } = property;
    const place = below(key, name);
    if (kind === "toMany") return content.count > 0 && memberBranch(data, tree, place, owner, property);
    if (content === null || content === undefined) return null;
    if (kind === "toOne") return objectBranch(data, tree, place, content, name);
    return h("div.tree-leaf", { key: place }, label(name), h("span", null, visible(shown(content, property).text)));
}

function memberBranch(data, tree, key, owner, relationship) {
    const branch = tree.branch(key);
    const { count } = relationship.value;
    return folding("details.tree-branch", { key, isOpen: branch.isOpen, folded: (isOpen) => tree.openMembers(key, owner, relationship, isOpen) },
        [label(relationship.name), h("span.quiet", null, `${grouped(count)} ${count === 1 ? "object" : "objects"}`)],
        branch.isOpen && [...state(branch), branch.members.map((member) => objectBranch(data, tree, below(key, member.id), member, null)),
            !branch.isWhole && branch.members.length > 0 && branch.members.length < count && h("div.tree-leaf", { key: "more" }, h(
                "button.link", { type: "button", onclick: () => tree.moreMembers(key) }, branch.isReading ? "Reading…" : "Show more"
            ))]);
}

function label(name) {
    return h("span.tree-name", null, modelText(name));
}

function state({ isReading, error, values, members }) {
    return [
        isReading && !values && members.length === 0 && h("div.tree-leaf.quiet", { key: "reading", role: "status" }, "Reading…"),
        error && h("div.tree-leaf", { key: "error", role: "alert" }, icon("error"), sentence(error)),
    ];
}
