import FoundationGaps

/// The entities by which fetch requests name transactions and changes.
enum HistoryModel {
    // Unchecked: threads may share the descriptions, which are sealed with their model and immutable from then on.
    nonisolated(unsafe) static let transaction = entities.transaction
    // Unchecked, as above: threads may share it.
    nonisolated(unsafe) static let change = entities.change

    private struct Entities {
        let transaction = entity(
            "TRANSACTION",
            [
                "author": .stringAttributeType, "bundleID": .stringAttributeType, "contextName": .stringAttributeType,
                "processID": .stringAttributeType, "storeID": .stringAttributeType, "timestamp": .dateAttributeType,
                "token": .undefinedAttributeType, "transactionNumber": .integer64AttributeType,
            ], relationship: "changes")
        let change = entity(
            "CHANGE",
            [
                "changeID": .integer64AttributeType, "changedEntity": .undefinedAttributeType,
                "changedObjectID": .undefinedAttributeType, "changeType": .integer64AttributeType,
                "tombstone": .undefinedAttributeType, "updatedProperties": .undefinedAttributeType,
            ], relationship: "transaction")
        /// The entities live as long as their model.
        let model = NSManagedObjectModel()

        init() {
            connect("changes", of: transaction, to: "transaction", of: change)
            model.entities = [transaction, change]
            _ = model.seal()
        }

        private func connect(
            _ first: String, of entity: NSEntityDescription, to second: String, of other: NSEntityDescription
        ) {
            let (toMany, toOne) = (entity.relationshipsByName[first], other.relationshipsByName[second])
            toMany?.destinationEntity = other
            toMany?.inverseRelationship = toOne
            toOne?.destinationEntity = entity
            toOne?.inverseRelationship = toMany
            toOne?.maxCount = 1
        }
    }

    // Unchecked, as above: threads may share them.
    private nonisolated(unsafe) static let entities = Entities()

    /// A new fetch request for objects of one of the entities.
    static func request(_ entity: NSEntityDescription) -> NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = entity
        return request
    }

    /// Whether a key leads from an entity to the other one.
    static func destination(of key: String, from entity: NSEntityDescription) -> NSEntityDescription? {
        switch key {
        case "changes" where entity === transaction: change
        case "transaction" where entity === change: transaction
        default: nil
        }
    }

    private static func entity(
        _ name: String, _ attributes: [String: NSAttributeType], relationship: String
    ) -> NSEntityDescription {
        let (entity, end) = (NSEntityDescription(), NSRelationshipDescription())
        (entity.name, end.name) = (name, relationship)
        entity.properties = [end]
        for (name, type) in attributes {
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType) = (name, type)
            attribute.isTransient = type == .undefinedAttributeType
            entity.properties.append(attribute)
        }
        return entity
    }
}
