/**
 * The places that led to one, with the identifiers that new objects have got since.
 *
 * @param {any[]} trail @param {(id: string) => string} renamed
 */
export function renamedTrail(trail, renamed) {
    return trail.map((place) => ({ ...place, ...(place.filter ? renamedHistory(place, renamed) : renamedRows(place, renamed)) }));
}

function renamedHistory({ title, filter }, renamed) {
    const object = filter.object && renamed(filter.object);
    return { title: object ? `History of ${object}` : title, filter: { ...filter, object } };
}

function renamedRows({ object, member }, renamed) {
    return {
        ...(object && { object: renamed(object) }),
        ...(member && { member: { ...member, object: renamed(member.object) } }),
    };
}
