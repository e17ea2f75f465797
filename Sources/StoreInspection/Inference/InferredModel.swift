import CoreData
import FoundationGaps
import ModelFormat

/// A model made up for a store that carries none: enough to read every row, and to follow what can be taken for
/// relationships.
///
/// Entities are those of `Z_PRIMARYKEY`. A column is a property of its table's root entity: which subentity declares it
/// can't be known, nor its name's case, nor whether it is optional. Columns that only relationships have (`Z_FOK_BOOK`,
/// `Z4_OWNER`, `Z3ITEMS`, tables such as `Z_2TAGS`) say what they are; an indexed column of integers is taken for a
/// reference where its name and its values agree on an entity. ``notes`` says all that was guessed.
package struct InferredModel {
    /// The model; its hashes mean nothing.
    package let model: Model
    /// What was taken for what, a sentence each.
    package let notes: [String]

    /// - Throws: 259 where the store is damaged.
    package init(_ inspection: StoreInspection) throws {
        var inference = try SQLiteFile.cocoa(inspection.url) { try ModelInference(inspection) }
        try SQLiteFile.cocoa(inspection.url) { try inference.run() }
        model = Model(entities: inference.entities)
        notes = inference.notes
    }
}

/// Builds an inferred model, tree by tree, then the relationships between them.
struct ModelInference {
    let inspection: StoreInspection
    let listed: [StoreInspection.NumberedEntity]
    private(set) var entities: [Model.Entity] = []
    var notes: [String] = []
    /// The to-ones that were found, waiting for their inverses.
    var references: [InferredReference] = []
    /// The names that are taken, by root entity.
    private var names: [String: Set<String>] = [:]

    var connection: SQLiteConnection { inspection.connection }

    init(_ inspection: StoreInspection) throws {
        self.inspection = inspection
        var seen: Set<String> = []
        listed = try inspection.entities().filter {
            $0.number < StoreCheck.firstFrameworkEntity && !$0.name.isEmpty && seen.insert($0.name).inserted
        }
    }

    mutating func run() throws {
        entities = listed.map { Model.Entity(name: $0.name) }
        for index in entities.indices { entities[index].parentName = parent(of: listed[index])?.name }
        for entity in listed where parent(of: entity) == nil { try inferColumns(of: entity) }
        try inferJoinTables()
        try inferInverses()
    }

    // MARK: Entities

    func entity(numbered number: Int64) -> StoreInspection.NumberedEntity? { listed.first { $0.number == number } }

    /// The parent; none where following the parents would go in a circle.
    func parent(of entity: StoreInspection.NumberedEntity) -> StoreInspection.NumberedEntity? {
        var ancestor = self.entity(numbered: entity.parent)
        for _ in listed {
            guard let current = ancestor else { return self.entity(numbered: entity.parent) }
            ancestor = self.entity(numbered: current.parent)
        }
        return nil
    }

    func root(of entity: StoreInspection.NumberedEntity) -> StoreInspection.NumberedEntity {
        var root = entity
        while let parent = parent(of: root) { root = parent }
        return root
    }

    func tableName(of entity: StoreInspection.NumberedEntity) -> String { SQLNaming.column(root(of: entity).name) }

    // MARK: Properties

    /// Adds an attribute. One that has the name already keeps it.
    mutating func add(_ attribute: Model.Attribute, to entity: StoreInspection.NumberedEntity) {
        guard claim(attribute.name, in: entity) else { return }
        change(entity) { $0.attributes.append(attribute) }
    }

    mutating func add(_ relationship: Model.Relationship, to entity: StoreInspection.NumberedEntity) {
        change(entity) { $0.relationships.append(relationship) }
    }

    /// Takes a name for a property of the entity; false where its tree has it already.
    mutating func claim(_ name: String, in entity: StoreInspection.NumberedEntity) -> Bool {
        names[root(of: entity).name, default: []].insert(name).inserted
    }

    private mutating func change(
        _ entity: StoreInspection.NumberedEntity, _ body: (inout Model.Entity) -> Void
    ) {
        guard let index = entities.firstIndex(where: { $0.name == entity.name }) else { return }
        body(&entities[index])
    }

    // MARK: The database

    func integer(_ sql: String) throws -> Int64 { try connection.integer(sql) ?? 0 }

    func hasIndex(_ name: String) throws -> Bool {
        let statement = try connection.statement("SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = ?")
        statement.bind(1, text: name)
        let found = try statement.step()
        statement.reset()
        return found
    }
}

/// A column that is taken for a to-one relationship.
struct InferredReference {
    let source: StoreInspection.NumberedEntity
    let destination: StoreInspection.NumberedEntity
    let name: String
    let column: String
    /// Whether the inverse is ordered.
    let isOrdered: Bool
}
