import FoundationGaps

/// How a store of one model becomes a store of another one: a list of entity mappings.
///
/// ```swift
/// guard let mapping = NSMappingModel(from: nil, forSourceModel: old, destinationModel: new) else {
///     fatalError("no mapping model for these versions")
/// }
/// let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
/// try manager.migrateStore(
///     from: url, type: .sqlite, mapping: mapping, to: copy, type: .sqlite)
/// ```
///
/// A mapping model comes from Xcode's editor (`.xcmappingmodel`), from a compiled file (`.cdm`), or is made in code:
/// see ``NSEntityMapping``. Changes that Core Data infers need none.
open class NSMappingModel: NSObject {
    /// The mappings in the order in which a migration works them off.
    ///
    /// It is empty at first. Nil empties it.
    open var entityMappings: [NSEntityMapping]! {
        get { mappings }
        set { mappings = newValue ?? [] }
    }
    private var mappings: [NSEntityMapping] = []

    /// The mappings by their names. Of those with the same name, the first counts.
    ///
    /// A migration by a model with two mappings of the same name throws `NSMigrationError` (134110).
    open var entityMappingsByName: [String: NSEntityMapping] {
        Dictionary(mappings.map { ($0.name ?? "", $0) }) { first, _ in first }
    }

    /// Makes a mapping model without mappings.
    ///
    /// Set ``entityMappings``.
    public override init() { super.init() }

    /// The mapping model that is inferred from two models.
    ///
    /// ```swift
    /// let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
    /// let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
    /// try manager.migrateStore(from: url, type: .sqlite, mapping: mapping, to: copy, type: .sqlite)
    /// ```
    ///
    /// Entities and properties are paired by their renaming identifiers and names. The models can't be changed any
    /// longer.
    ///
    /// - Throws: `NSInferredMappingModelError` (134190) for a change that can't be inferred. The reason names entities
    ///   and properties.
    open class func inferredMappingModel(
        forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
    ) throws -> NSMappingModel {
        try NSMappingModel(inferredFrom: sourceModel, to: destinationModel)
    }

    /// Loads a mapping model from a file.
    ///
    /// It reads a `.cdm` file, as Xcode and `coredata compile` write it, and the resource that the plug-in makes of an
    /// `.xcmappingmodel`.
    ///
    /// - Parameter url: The file. Nil gives nil.
    /// - Returns: Nil if there is no readable mapping model. Standard error then has the reason.
    public convenience init?(contentsOf url: URL?) {
        guard let url else { return nil }
        do {
            try self.init(MappingSource(contentsOf: url).compiled())
        } catch {
            NSManagedObjectModel.warn("The mapping model \(url.path) can't be loaded: \(error.readableReason)")
            return nil
        }
    }

    /// Finds the mapping model from one model to another, by the version hashes of their entities.
    ///
    /// It is looked for among the `.cdm` files and the `.xcmappingmodel` documents in the bundles. The hashes of all
    /// entities that it maps must be those of the two models.
    ///
    /// - Parameters:
    ///   - bundles: Nil and an empty array stand for the program's own bundles.
    ///   - sourceModel: The model of the store that there is. Nil gives nil.
    ///   - destinationModel: The model of the store that is wanted. Nil gives nil.
    /// - Returns: Nil if there is none. A file that can't be read is passed over, and standard error has the reason.
    public convenience init?(
        from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
        destinationModel: NSManagedObjectModel?
    ) {
        guard let sourceModel, let destinationModel,
            let found = MappingSearch(from: sourceModel, to: destinationModel).mapping(in: bundles)
        else { return nil }
        self.init()
        entityMappings = found.entityMappings
    }
}
