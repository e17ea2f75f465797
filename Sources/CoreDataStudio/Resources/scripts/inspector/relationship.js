import { entities } from "../model/queries.js";
import { deleteRules } from "../model/types.js";
import { inverseChoices } from "../views/entityEditor.js";
import {
    addButton, checkRow, choicesOf, numberRow, selectRow, textRow, userInfoGroup, versioningGroup
} from "./rows.js";

/** Everything about a relationship. */
export function relationshipGroups(app, record) {
    const { store } = app;
    const name = (id) => store.record(id)?.name;
    return [
        {
            title: "Relationship", rows: [
                textRow(app, record, "name", "Name", { rename: true }),
                selectRow(
                    app, record, "destination", "Destination", choicesOf(entities(store)),
                    { placeholder: record.destinationName }
                ),
                selectRow(
                    app, record, "inverse", "Inverse", inverseChoices(store, record),
                    { placeholder: record.inverseName }
                ),
                record.destination && !record.inverse && addButton(`Create Inverse in ${name(record.destination)}`, () =>
                    app.editing.add({ kind: "addInverse", relationship: record.id })),
                selectRow(app, record, "deleteRule", "Delete Rule", deleteRules),
                selectRow(app, record, "isToMany", "Type", [[false, "To One"], [true, "To Many"]]),
                record.isToMany && checkRow(app, record, "isOrdered", "Ordered"),
                record.isToMany && numberRow(app, record, "minimumCount", "Min Count", { placeholder: "No limit" }),
                record.isToMany && numberRow(app, record, "maximumCount", "Max Count", { placeholder: "No limit" }),
                checkRow(app, record, "isOptional", "Optional"),
                checkRow(app, record, "isTransient", "Transient"),
            ],
        },
        {
            title: "Storage", rows: [
                checkRow(app, record, "isIndexedBySpotlight", "Index in Spotlight"),
                checkRow(app, record, "isStoredInExternalRecord", "Store in External Record File"),
                checkRow(app, record, "isSyncable", "Syncable"),
            ],
        },
        userInfoGroup(app, record),
        versioningGroup(app, record),
    ];
}
