import { grouped } from "../cells.js";

/**
 * What the delete rules do, a sentence each.
 *
 * @param {{deleted: Object<string, number>, changed: Object<string, number>}} preview What `store/deletion` answered.
 * @returns {string[]}
 */
export function deletionWords({ deleted, changed }) {
    return [
        `${listed(deleted)} would be deleted.`,
        Object.keys(changed).length > 0 ? `${listed(changed)} would lose a relationship.` : null,
    ].filter(Boolean);
}

/** 3 Player and 1 Team @param {Object<string, number>} counts */
function listed(counts) {
    const parts = Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, count]) => `${grouped(count)} ${name}`);
    return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
