import CoreData
import Testing

@Suite("What subclasses of models, descriptions and expressions override is called")
struct ModelOverrideTests {
    @Test("a model: entities, configurations, templates and versions, read and set as the superclass's")
    func model() throws {
        let mock = MockModel()
        let model: NSManagedObjectModel = mock
        let team = entity("Team", [])
        model.entities = [team]
        model.setEntities([team], forConfigurationName: "c")
        model.setFetchRequestTemplate(NSFetchRequest(entityName: "Team"), forName: "t")
        model.versionIdentifiers = ["1"]
        model.localizationDictionary = ["a": "b"]
        #expect(mock.calls == ["entities=", "setEntities", "setTemplate", "versionIdentifiers=", "localization="])
        #expect(model.entities.isEmpty && model.entitiesByName.keys.first == "Mock" && model.configurations == ["mock"])
        #expect(model.entities(forConfigurationName: "any") == [] && model.fetchRequestTemplatesByName.isEmpty)
        #expect(model.fetchRequestTemplate(forName: "any")?.entityName == "Mock")
        #expect(
            model.fetchRequestFromTemplate(withName: "any", substitutionVariables: [:])?.entityName == "Substituted")
        #expect(model.versionIdentifiers == ["mock"] && model.localizationDictionary == ["mock": "mock"])
        #expect(model.entityVersionHashesByName.keys.first == "Mock" && model.versionChecksum == "mock")
        #expect(model.isConfiguration(withName: "any", compatibleWithStoreMetadata: [:]))
        #expect(model.copy() as? NSManagedObjectModel === mock && model.isEqual("any"))
        #expect(model.hash == 7 && model.description == "mock")
    }

    @Test("a model's class methods")
    func modelClass() throws {
        let type: NSManagedObjectModel.Type = MockModel.self
        #expect(type.mergedModel(from: [])?.versionChecksum == "mock")
        #expect(type.mergedModel(from: [], forStoreMetadata: [:])?.versionChecksum == "mock")
        let nowhere = URL(fileURLWithPath: "/nowhere.momd")
        #expect(try type.__checksumsForVersionedModel(at: nowhere) == ["mock": "mock"])
    }

    @Test("the framework goes by what a model is, whatever a subclass says of its versions")
    func stores() throws {
        let model = VersionLiar()
        model.entities = [entity("Team", [attribute("name", .stringAttributeType)])]
        let stack = try Stack(model)
        _ = try stack.saved("Team", ["name": "Celtics"])
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: stack.storeURL)
        let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
        #expect(hashes?.keys.first == "Team" && hashes?["Team"]?.count == 32)
        #expect(NSManagedObjectModel(byMerging: [model], forStoreMetadata: metadata)?.entities.count == 1)
        try stack.reopened { context throws in
            let teams = try context.all("Team")
            #expect(teams.map { $0.string("name") } == ["Celtics"])
        }
    }

    @Test("a reference to a model")
    func reference() {
        let reference: NSManagedObjectModelReference = MockReference(
            model: CoreDataTests.model(), versionChecksum: "none")
        #expect(reference.versionChecksum == "mock" && reference.resolvedModel.versionChecksum == "mock")
    }

    @Test("an entity: names, hierarchy, properties, indexes and versions, read and set as the superclass's")
    func entityDescription() {
        let mock = MockEntity()
        let entity: NSEntityDescription = mock
        entity.name = "any"
        entity.managedObjectClassName = "Any"
        entity.isAbstract = true
        entity.userInfo = [:]
        entity.versionHashModifier = "any"
        entity.uniquenessConstraints = []
        entity.compoundIndexes = []
        entity.renamingIdentifier = "any"
        entity.subentities = []
        entity.properties = []
        entity.indexes = []
        #expect(mock.calls.count == 11 && Set(mock.calls).count == 11, "\(mock.calls)")
        #expect(entity.name == "mock" && entity.managedObjectClassName == "mock" && !entity.isAbstract)
        #expect(entity.userInfo?["mock"] as? Bool == true && entity.versionHashModifier == "mock")
        #expect(entity.uniquenessConstraints.count == 1 && entity.compoundIndexes.count == 1)
        #expect(entity.renamingIdentifier == "mock" && entity.managedObjectModel.versionChecksum == "mock")
        #expect(entity.superentity === mock && entity.subentities == [mock] && entity.isKindOf(entity: mock))
        #expect(entity.properties == [mock.attribute] && entity.propertiesByName["mock"] === mock.attribute)
        #expect(entity.attributesByName["mock"] === mock.attribute && entity.indexes == [mock.index])
        #expect(entity.relationshipsByName["mock"] === mock.relationship && entity.subentitiesByName["mock"] === mock)
        #expect(entity.relationships(forDestination: mock) == [mock.relationship])
        #expect(entity.versionHash == Data([7]) && entity.copy() as? NSEntityDescription === mock)
        #expect(entity.isEqual("any") && entity.hash == 7 && entity.description == "mock")
        let type: NSEntityDescription.Type = MockEntity.self
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        #expect(type.entity(forEntityName: "any", in: context)?.name == "mock")
    }

    @Test("a property, and what its kinds add, read and set as the superclass's")
    func property() {
        let mock = MockProperty()
        let property: NSPropertyDescription = mock
        property.name = "any"
        property.isOptional = true
        property.isTransient = false
        property.userInfo = [:]
        property.versionHashModifier = "any"
        property.isIndexed = false
        property.isIndexedBySpotlight = false
        property.isStoredInExternalRecord = false
        property.renamingIdentifier = "any"
        property.setValidationPredicates(nil, withValidationWarnings: nil)
        #expect(Set(mock.calls).count == 10, "\(mock.calls)")
        #expect(property.name == "mock" && !property.isOptional && property.isTransient && property.isIndexed)
        #expect(property.userInfo?["mock"] as? Bool == true && property.versionHashModifier == "mock")
        #expect(property.isIndexedBySpotlight && property.isStoredInExternalRecord && property.entity is MockEntity)
        #expect(property.validationPredicates.count == 1 && property.validationWarnings.count == 1)
        #expect(property.renamingIdentifier == "mock" && property.versionHash == Data([7]))
        #expect(property.copy() as? NSPropertyDescription === mock && property.isEqual("any"))
        #expect(property.hash == 7 && property.description == "mock")
    }

    @Test("an attribute, derived and composite ones")
    func attributes() {
        let mock = MockAttribute()
        let attribute: NSAttributeDescription = mock
        attribute.attributeType = .dateAttributeType
        attribute.defaultValue = 1
        attribute.attributeValueClassName = "Any"
        attribute.valueTransformerName = "any"
        attribute.allowsExternalBinaryDataStorage = false
        attribute.preservesValueInHistoryOnDeletion = false
        attribute.allowsCloudEncryption = false
        #expect(Set(mock.calls).count == 7, "\(mock.calls)")
        #expect(attribute.attributeType == .stringAttributeType && attribute.type == .boolean)
        #expect(attribute.defaultValue as? Int == 7 && attribute.attributeValueClassName == "mock")
        #expect(attribute.valueTransformerName == "mock" && attribute.allowsExternalBinaryDataStorage)
        #expect(attribute.preservesValueInHistoryOnDeletion && attribute.allowsCloudEncryption)
        attribute.type = .date
        #expect(mock.calls.contains("type="))
        let derived: NSDerivedAttributeDescription = MockDerived()
        derived.derivationExpression = nil
        #expect(derived.derivationExpression?.keyPath == "mock")
        let composite: NSCompositeAttributeDescription = MockComposite()
        composite.elements = []
        #expect(composite.elements.count == 1)
    }

    @Test("a relationship, a fetched property and an expression's column")
    func otherProperties() {
        let mock = MockRelationship()
        let relationship: NSRelationshipDescription = mock
        relationship.destinationEntity = nil
        relationship.inverseRelationship = nil
        (relationship.maxCount, relationship.minCount) = (0, 0)
        relationship.deleteRule = .cascadeDeleteRule
        relationship.isOrdered = false
        #expect(Set(mock.calls).count == 6, "\(mock.calls)")
        #expect(relationship.destinationEntity is MockEntity && relationship.inverseRelationship === mock)
        #expect(relationship.maxCount == 7 && relationship.minCount == 7 && relationship.deleteRule == .denyDeleteRule)
        #expect(relationship.isOrdered && !relationship.isToMany)
        let fetched: NSFetchedPropertyDescription = MockFetched()
        fetched.fetchRequest = nil
        #expect(fetched.fetchRequest?.entityName == "Mock")
        let column: NSExpressionDescription = MockColumn()
        column.expression = nil
        column.expressionResultType = .dateAttributeType
        #expect(column.expression?.keyPath == "mock" && column.expressionResultType == .stringAttributeType)
        column.resultType = .date
        #expect(column.resultType == .boolean)
    }

    @Test("an index and its elements")
    func indexes() {
        let index: NSFetchIndexDescription = MockIndex(name: "any", elements: [])
        index.name = "other"
        index.elements = []
        index.partialIndexPredicate = nil
        #expect(index.name == "mock" && index.elements.count == 1 && index.partialIndexPredicate != nil)
        #expect(index.entity is MockEntity && index.copy() as? NSFetchIndexDescription === index)
        let element: NSFetchIndexElementDescription = MockElement(
            property: attribute("any", .stringAttributeType), collationType: .binary)
        element.collationType = .binary
        element.isAscending = true
        #expect(element.collationType == .rTree && !element.isAscending && element.property is MockProperty)
        #expect(element.propertyName == "mock" && element.indexDescription is MockIndex)
        #expect(element.copy() as? NSFetchIndexElementDescription === element)
    }

    @Test("a comparison: its sides, operator and options; it is evaluated as it was made")
    func comparison() {
        let (name, ann) = (NSExpression(forKeyPath: "name"), NSExpression(forConstantValue: "Ann"))
        let predicate: NSComparisonPredicate = MockComparison(
            leftExpression: name, rightExpression: ann, modifier: .direct, type: .equalTo)
        #expect(predicate.leftExpression.keyPath == "mock" && predicate.rightExpression.keyPath == "mock")
        #expect(predicate.comparisonPredicateModifier == .any && predicate.predicateOperatorType == .like)
        #expect(predicate.options == .caseInsensitive && predicate.customSelector?.description == "mock:")
        #expect(predicate.evaluate(with: ["name": "Ann"]) && !predicate.evaluate(with: ["name": "Bob"]))
    }

    @Test("an expression: its kind, value and parts")
    func expression() {
        let mock = MockExpression(expressionType: .evaluatedObject)
        let expression: NSExpression = mock
        #expect(expression.expressionType == .block && expression.expressionValue(with: 1, context: nil) as? Int == 7)
        #expect(expression.constantValue as? Int == 7 && expression.keyPath == "mock" && expression.function == "mock")
        #expect(expression.variable == "mock" && expression.operand === mock && expression.arguments == [mock])
        #expect(expression.collection as? [NSExpression] == [mock] && expression.predicate.predicateFormat == "1 == 2")
        #expect(expression.left === mock && expression.right === mock)
        #expect(expression.true === mock && expression.false === mock)
        #expect(expression.expressionBlock(nil, [], nil) as? Int == 7)
        expression.allowEvaluation()
        #expect(mock.calls == ["allowEvaluation"])
        #expect(expression.copy() as? Int == 7 && expression.isEqual("any") && expression.hash == 7)
        #expect(expression.description == "mock" && expression.debugDescription == "mock")
        let type: NSExpression.Type = MockExpression.self
        #expect(type.expressionForEvaluatedObject() is MockExpression && type.expressionForAnyKey() is MockExpression)
    }
}

private final class MockModel: NSManagedObjectModel {
    var calls: [String] = []

    override var entities: [NSEntityDescription] {
        get { [] }
        set { calls.append("entities=") }
    }
    override var entitiesByName: [String: NSEntityDescription] { ["Mock": MockEntity()] }
    override var configurations: [String] { ["mock"] }
    override func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? { [] }
    override func setEntities(_ entities: [NSEntityDescription], forConfigurationName configuration: String) {
        calls.append("setEntities")
    }
    override var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] { [:] }
    override func fetchRequestTemplate(forName name: String) -> NSFetchRequest<any NSFetchRequestResult>? {
        NSFetchRequest(entityName: "Mock")
    }
    override func setFetchRequestTemplate(
        _ fetchRequestTemplate: NSFetchRequest<any NSFetchRequestResult>?, forName name: String
    ) {
        calls.append("setTemplate")
    }
    override func fetchRequestFromTemplate(
        withName name: String, substitutionVariables variables: [String: Any]
    ) -> NSFetchRequest<any NSFetchRequestResult>? {
        NSFetchRequest(entityName: "Substituted")
    }
    override var versionIdentifiers: Set<AnyHashable> {
        get { ["mock"] }
        set { calls.append("versionIdentifiers=") }
    }
    override var localizationDictionary: [String: String]? {
        get { ["mock": "mock"] }
        set { calls.append("localization=") }
    }
    override var entityVersionHashesByName: [String: Data] { ["Mock": Data()] }
    override var versionChecksum: String { "mock" }
    override func isConfiguration(
        withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
    ) -> Bool {
        true
    }
    override class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? { MockModel() }
    override class func mergedModel(
        from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]
    ) -> NSManagedObjectModel? {
        MockModel()
    }
    override class func __checksumsForVersionedModel(at modelURL: URL) throws -> [String: String] { ["mock": "mock"] }
    override func copy(with zone: NSZone? = nil) -> Any { self }
    override func isEqual(_ object: Any?) -> Bool { true }
    override var hash: Int { 7 }
    override var description: String { "mock" }
}

/// Says that it has other versions than it has.
private final class VersionLiar: NSManagedObjectModel {
    override var entityVersionHashesByName: [String: Data] { ["Other": Data()] }
    override var versionChecksum: String { "mock" }
}

private final class MockReference: NSManagedObjectModelReference {
    override var versionChecksum: String { "mock" }
    override var resolvedModel: NSManagedObjectModel { MockModel() }
}

private final class MockEntity: NSEntityDescription {
    var calls: [String] = []

    lazy var attribute = NSAttributeDescription()
    lazy var relationship = NSRelationshipDescription()
    lazy var index = NSFetchIndexDescription(name: "mock", elements: [])

    override var name: String? {
        get { "mock" }
        set { calls.append("name=") }
    }
    override var managedObjectClassName: String! {
        get { "mock" }
        set { calls.append("managedObjectClassName=") }
    }
    override var isAbstract: Bool {
        get { false }
        set { calls.append("isAbstract=") }
    }
    override var userInfo: [AnyHashable: Any]? {
        get { ["mock": true] }
        set { calls.append("userInfo=") }
    }
    override var versionHashModifier: String? {
        get { "mock" }
        set { calls.append("versionHashModifier=") }
    }
    override var uniquenessConstraints: [[Any]] {
        get { [["mock"]] }
        set { calls.append("uniquenessConstraints=") }
    }
    override var compoundIndexes: [[Any]] {
        get { [["mock"]] }
        set { calls.append("compoundIndexes=") }
    }
    override var renamingIdentifier: String? {
        get { "mock" }
        set { calls.append("renamingIdentifier=") }
    }
    override var managedObjectModel: NSManagedObjectModel { MockModel() }
    override var superentity: NSEntityDescription? { self }
    override var subentities: [NSEntityDescription] {
        get { [self] }
        set { calls.append("subentities=") }
    }
    override func isKindOf(entity: NSEntityDescription) -> Bool { true }
    override var properties: [NSPropertyDescription] {
        get { [attribute] }
        set { calls.append("properties=") }
    }
    override var indexes: [NSFetchIndexDescription] {
        get { [index] }
        set { calls.append("indexes=") }
    }
    override var propertiesByName: [String: NSPropertyDescription] { ["mock": attribute] }
    override var attributesByName: [String: NSAttributeDescription] { ["mock": attribute] }
    override var relationshipsByName: [String: NSRelationshipDescription] { ["mock": relationship] }
    override var subentitiesByName: [String: NSEntityDescription] { ["mock": self] }
    override func relationships(forDestination entity: NSEntityDescription) -> [NSRelationshipDescription] {
        [relationship]
    }
    override class func entity(
        forEntityName entityName: String, in context: NSManagedObjectContext
    ) -> NSEntityDescription? {
        MockEntity()
    }
    override var versionHash: Data { Data([7]) }
    override func copy(with zone: NSZone? = nil) -> Any { self }
    override func isEqual(_ object: Any?) -> Bool { true }
    override var hash: Int { 7 }
    override var description: String { "mock" }
}

private final class MockProperty: NSPropertyDescription {
    var calls: [String] = []

    override var name: String {
        get { "mock" }
        set { calls.append("name=") }
    }
    override var isOptional: Bool {
        get { false }
        set { calls.append("isOptional=") }
    }
    override var isTransient: Bool {
        get { true }
        set { calls.append("isTransient=") }
    }
    override var userInfo: [AnyHashable: Any]? {
        get { ["mock": true] }
        set { calls.append("userInfo=") }
    }
    override var versionHashModifier: String? {
        get { "mock" }
        set { calls.append("versionHashModifier=") }
    }
    override var isIndexed: Bool {
        get { true }
        set { calls.append("isIndexed=") }
    }
    override var isIndexedBySpotlight: Bool {
        get { true }
        set { calls.append("isIndexedBySpotlight=") }
    }
    override var isStoredInExternalRecord: Bool {
        get { true }
        set { calls.append("isStoredInExternalRecord=") }
    }
    override var validationPredicates: [NSPredicate] { [NSPredicate(value: true)] }
    override var validationWarnings: [Any] { ["mock"] }
    override var entity: NSEntityDescription { MockEntity() }
    override var renamingIdentifier: String? {
        get { "mock" }
        set { calls.append("renamingIdentifier=") }
    }
    override var versionHash: Data { Data([7]) }
    override func setValidationPredicates(
        _ validationPredicates: [NSPredicate]?, withValidationWarnings validationWarnings: [String]?
    ) {
        calls.append("setValidationPredicates")
    }
    override func copy(with zone: NSZone? = nil) -> Any { self }
    override func isEqual(_ object: Any?) -> Bool { true }
    override var hash: Int { 7 }
    override var description: String { "mock" }
}

private final class MockAttribute: NSAttributeDescription {
    var calls: [String] = []

    override var attributeType: NSAttributeType {
        get { .stringAttributeType }
        set { calls.append("attributeType=") }
    }
    override var type: AttributeType {
        get { .boolean }
        set { calls.append("type=") }
    }
    override var defaultValue: Any? {
        get { 7 }
        set { calls.append("defaultValue=") }
    }
    override var attributeValueClassName: String? {
        get { "mock" }
        set { calls.append("attributeValueClassName=") }
    }
    override var valueTransformerName: String? {
        get { "mock" }
        set { calls.append("valueTransformerName=") }
    }
    override var allowsExternalBinaryDataStorage: Bool {
        get { true }
        set { calls.append("allowsExternalBinaryDataStorage=") }
    }
    override var preservesValueInHistoryOnDeletion: Bool {
        get { true }
        set { calls.append("preservesValueInHistoryOnDeletion=") }
    }
    override var allowsCloudEncryption: Bool {
        get { true }
        set { calls.append("allowsCloudEncryption=") }
    }
}

private final class MockDerived: NSDerivedAttributeDescription {
    override var derivationExpression: NSExpression? {
        get { NSExpression(forKeyPath: "mock") }
        set {}
    }
}

private final class MockComposite: NSCompositeAttributeDescription {
    override var elements: [NSAttributeDescription] {
        get { [NSAttributeDescription()] }
        set {}
    }
}

private final class MockRelationship: NSRelationshipDescription {
    var calls: [String] = []

    override var destinationEntity: NSEntityDescription? {
        get { MockEntity() }
        set { calls.append("destinationEntity=") }
    }
    override var inverseRelationship: NSRelationshipDescription? {
        get { self }
        set { calls.append("inverseRelationship=") }
    }
    override var maxCount: Int {
        get { 7 }
        set { calls.append("maxCount=") }
    }
    override var minCount: Int {
        get { 7 }
        set { calls.append("minCount=") }
    }
    override var deleteRule: NSDeleteRule {
        get { .denyDeleteRule }
        set { calls.append("deleteRule=") }
    }
    override var isOrdered: Bool {
        get { true }
        set { calls.append("isOrdered=") }
    }
    override var isToMany: Bool { false }
}

private final class MockFetched: NSFetchedPropertyDescription {
    override var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        get { NSFetchRequest(entityName: "Mock") }
        set {}
    }
}

private final class MockColumn: NSExpressionDescription {
    override var expression: NSExpression? {
        get { NSExpression(forKeyPath: "mock") }
        set {}
    }
    override var expressionResultType: NSAttributeType {
        get { .stringAttributeType }
        set {}
    }
    override var resultType: NSAttributeDescription.AttributeType {
        get { .boolean }
        set {}
    }
}

private final class MockIndex: NSFetchIndexDescription {
    override var name: String {
        get { "mock" }
        set {}
    }
    override var elements: [NSFetchIndexElementDescription] {
        get { [MockElement(property: MockProperty(), collationType: .binary)] }
        set {}
    }
    override var partialIndexPredicate: NSPredicate? {
        get { NSPredicate(value: true) }
        set {}
    }
    override var entity: NSEntityDescription? { MockEntity() }
    override func copy(with zone: NSZone? = nil) -> Any { self }
}

private final class MockElement: NSFetchIndexElementDescription {
    override var collationType: NSFetchIndexElementType {
        get { .rTree }
        set {}
    }
    override var isAscending: Bool {
        get { false }
        set {}
    }
    override var property: NSPropertyDescription? { MockProperty() }
    override var propertyName: String? { "mock" }
    override var indexDescription: NSFetchIndexDescription? { MockIndex(name: "mock", elements: []) }
    override func copy(with zone: NSZone? = nil) -> Any { self }
}

private final class MockExpression: NSExpression {
    var calls: [String] = []

    override class func expressionForEvaluatedObject() -> NSExpression {
        MockExpression(expressionType: .evaluatedObject)
    }
    override class func expressionForAnyKey() -> NSExpression { MockExpression(expressionType: .anyKey) }
    override var expressionType: ExpressionType { .block }
    override func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? { 7 }
    override func allowEvaluation() { calls.append("allowEvaluation") }
    override var constantValue: Any? { 7 }
    override var keyPath: String { "mock" }
    override var function: String { "mock" }
    override var variable: String { "mock" }
    override var operand: NSExpression { self }
    override var arguments: [NSExpression]? { [self] }
    override var collection: Any { [self] }
    override var predicate: NSPredicate { NSPredicate(format: "1 == 2") }
    override var left: NSExpression { self }
    override var right: NSExpression { self }
    override var `true`: NSExpression { self }
    override var `false`: NSExpression { self }
    override var expressionBlock: (Any?, [NSExpression], NSMutableDictionary?) -> Any { { _, _, _ in 7 } }
    override func copy() -> Any { 7 }
    override var debugDescription: String { "mock" }
    override func isEqual(_ object: Any?) -> Bool { true }
    override var hash: Int { 7 }
    override var description: String { "mock" }
}

private final class MockComparison: NSComparisonPredicate {
    override var leftExpression: NSExpression { NSExpression(forKeyPath: "mock") }
    override var rightExpression: NSExpression { NSExpression(forKeyPath: "mock") }
    override var comparisonPredicateModifier: Modifier { .any }
    override var predicateOperatorType: Operator { .like }
    override var options: Options { .caseInsensitive }
    override var customSelector: Selector? { Selector("mock:") }
}
