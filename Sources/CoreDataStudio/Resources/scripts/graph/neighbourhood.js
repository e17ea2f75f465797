/**
 * The boxes that are at most some links away from one, itself among them.
 *
 * @param {string} from @param {number} steps @param {import("./scene.js").Link[]} links
 * @returns {Set<string>}
 */
export function neighbourhood(from, steps, links) {
    let near = new Set([from]);
    for (let step = 0; step < steps; step++) {
        const more = new Set(near);
        for (const { source, target } of links) {
            if (near.has(source.box)) more.add(target.box);
            if (near.has(target.box)) more.add(source.box);
        }
        near = more;
    }
    return near;
}
