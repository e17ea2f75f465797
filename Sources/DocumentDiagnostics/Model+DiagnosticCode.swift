extension Model {
    /// The kinds of findings. Their names stay as they are: scripts and build settings can rely on them.
    ///
    /// ```swift
    /// let codes = Set(model.diagnostics.map(\.code))
    /// if codes.contains(.noInverse) { print("a relationship has no inverse") }
    /// ```
    ///
    /// ``severity`` says how much a kind matters.
    public enum DiagnosticCode: String, Sendable, Hashable, Codable, CaseIterable {
        // What can't be compiled, loaded or generated.
        /// Two entities have one name.
        case duplicateEntity = "duplicate-entity"

        /// Two properties of an entity have one name.
        case duplicateProperty = "duplicate-property"

        /// Two fetch indexes, requests, configurations or composites have one name.
        case duplicateElement = "duplicate-element"

        /// A name is empty, or no identifier of letters, digits and underscores.
        case invalidName = "invalid-name"

        /// A property is named like a member of every managed object, or like a word that Swift can't have as a
        /// property.
        case reservedName = "reserved-name"

        /// A property has the name of an inherited one.
        case inheritedName = "inherited-name"

        /// The parent entity is not in the model.
        case unknownParent = "unknown-parent"

        /// An entity inherits from itself.
        case parentCycle = "parent-cycle"

        /// Two entities ask for one generated class.
        case duplicateGeneratedClass = "duplicate-generated-class"

        /// A stored attribute has no type.
        case undefinedType = "undefined-type"

        /// A default is no value of the attribute's type.
        case invalidDefault = "invalid-default"

        /// A bound is no number.
        case invalidBound = "invalid-bound"

        /// A pattern is no regular expression.
        case invalidPattern = "invalid-pattern"

        /// An attribute is of a composite that the model lacks.
        case unknownComposite = "unknown-composite"

        /// A composite contains itself.
        case compositeCycle = "composite-cycle"

        /// A derived attribute lacks its expression, or an attribute that is not derived has one.
        case derivation

        /// A relationship or a fetched property has no destination.
        case noDestination = "no-destination"

        /// A destination entity is not in the model.
        case unknownDestination = "unknown-destination"

        /// An inverse is no relationship of the model.
        case unknownInverse = "unknown-inverse"

        /// A uniqueness constraint names a property that the entity lacks.
        case unknownConstraintKey = "unknown-constraint-key"

        /// A uniqueness constraint names a property that can't be in one: fetched, transient or to-many.
        case constraintKey = "constraint-key"

        /// A fetch index names a property that the entity lacks.
        case unknownIndexKey = "unknown-index-key"

        /// A fetch request names no entity, or one that is not in the model.
        case unknownRequestEntity = "unknown-request-entity"

        /// A configuration has an entity that is not in the model.
        case unknownMember = "unknown-member"

        /// The format of a predicate can't be read.
        case invalidPredicate = "invalid-predicate"

        /// The format of an expression can't be read.
        case invalidExpression = "invalid-expression"

        /// The model can't be compiled, for a reason that no other code has.
        case uncompilable

        /// A version that is locked has changed.
        case lockedVersion = "locked-version"

        // What works otherwise than one expects.
        /// A relationship has no inverse.
        case noInverse = "no-inverse"

        /// The inverse of a relationship does not lead back.
        case oneSidedInverse = "one-sided-inverse"

        /// The inverse of a relationship leads to another entity.
        case wrongInverse = "wrong-inverse"

        /// An abstract entity has no subentities, so it can have no objects.
        case abstractWithoutSubentities = "abstract-without-subentities"

        /// Two entities have one class, so `entity()` and `fetchRequest()` of the class can't tell which is meant.
        case duplicateClass = "duplicate-class"

        /// An entity asks for generated code but names no class.
        case missingClass = "missing-class"

        /// Two property names differ in case alone.
        case caseClash = "case-clash"

        /// A minimum is above its maximum.
        case minimumAboveMaximum = "minimum-above-maximum"

        /// A relationship is to-many with a maximum of 1: it counts as to-one.
        case toManyOfOne = "to-many-of-one"

        /// A default breaks the attribute's own validation.
        case defaultOutsideBounds = "default-outside-bounds"

        /// A required scalar has no default: it reads as 0 or false, but can't be saved.
        case missingDefault = "missing-default"

        /// A transformable attribute decodes any class that an archive names.
        case insecureTransformer = "insecure-transformer"

        /// External storage is allowed for an attribute that can't use it.
        case externalStorage = "external-storage"

        /// The delete rule No Action leaves an inverse that leads to a deleted object.
        case noAction = "no-action"

        /// The delete rule Nullify sets a required inverse to nil.
        case nullifiesRequired = "nullifies-required"

        /// A fetch index names a property that has no column, or no number for a spatial index.
        case indexKey = "index-key"

        /// A uniqueness constraint, a fetch index or a composite is empty.
        case emptyElement = "empty-element"

        /// A relationship leads from one configuration to another.
        case separatedByConfigurations = "separated-by-configurations"

        /// A format names a key that the entity lacks.
        case unknownKey = "unknown-key"

        /// A format for a store names a transient property.
        case transientKey = "transient-key"

        // What is good to know.
        /// A setting means nothing for its attribute or relationship.
        case ignoredSetting = "ignored-setting"

        /// A name is a word of the predicate language, so formats must write `#name`.
        case predicateWord = "predicate-word"

        /// A model for CloudKit has something that CloudKit does not allow.
        case cloudKit = "cloudkit"

        /// A model is made for CloudKit, which exists on Apple's platforms alone.
        case cloudKitPort = "cloudkit-port"
    }
}

extension Model.DiagnosticCode {
    /// How much a finding matters.
    ///
    /// `coredata` and the build plugin print the word before the finding: `warning: …`.
    public enum Severity: String, Sendable, Hashable, Codable, Comparable, CaseIterable {
        /// The model can't be used as it is.
        case error
        /// It can, and something will go otherwise than one expects.
        case warning
        /// Nothing is wrong; it is good to know all the same.
        case note

        /// Whether a severity is graver than another, so that a sorted list has errors first.
        public static func < (left: Self, right: Self) -> Bool {
            left.rank < right.rank
        }

        private var rank: Int {
            switch self {
            case .error: 0
            case .warning: 1
            case .note: 2
            }
        }
    }

    /// How much findings of this kind matter. It is fixed for each kind.
    public var severity: Severity {
        switch self {
        case .duplicateEntity, .duplicateProperty, .duplicateElement, .invalidName, .reservedName, .inheritedName,
            .unknownParent, .parentCycle, .duplicateGeneratedClass, .undefinedType, .invalidDefault, .invalidBound,
            .invalidPattern, .unknownComposite, .compositeCycle, .derivation, .noDestination, .unknownDestination,
            .unknownInverse, .unknownConstraintKey, .constraintKey, .unknownIndexKey, .unknownRequestEntity,
            .unknownMember, .invalidPredicate, .invalidExpression, .uncompilable, .lockedVersion:
            .error
        case .noInverse, .oneSidedInverse, .wrongInverse, .abstractWithoutSubentities, .duplicateClass, .missingClass,
            .caseClash, .minimumAboveMaximum, .toManyOfOne, .defaultOutsideBounds, .missingDefault,
            .insecureTransformer, .externalStorage, .noAction, .nullifiesRequired, .indexKey, .emptyElement,
            .separatedByConfigurations, .unknownKey, .transientKey:
            .warning
        case .ignoredSetting, .predicateWord, .cloudKit, .cloudKitPort: .note
        }
    }
}
