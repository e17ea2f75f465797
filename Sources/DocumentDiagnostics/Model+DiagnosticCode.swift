extension Model {
    /// The kinds of findings, by names that stay as they are: scripts and build settings can rely on them.
    public enum DiagnosticCode: String, Sendable, Hashable, Codable, CaseIterable {
        // What can't be compiled, loaded or generated.
        case duplicateEntity = "duplicate-entity"
        case duplicateProperty = "duplicate-property"
        case duplicateElement = "duplicate-element"
        case invalidName = "invalid-name"
        case reservedName = "reserved-name"
        case inheritedName = "inherited-name"
        case unknownParent = "unknown-parent"
        case parentCycle = "parent-cycle"
        case duplicateGeneratedClass = "duplicate-generated-class"
        case undefinedType = "undefined-type"
        case invalidDefault = "invalid-default"
        case invalidBound = "invalid-bound"
        case invalidPattern = "invalid-pattern"
        case unknownComposite = "unknown-composite"
        case compositeCycle = "composite-cycle"
        case derivation
        case noDestination = "no-destination"
        case unknownDestination = "unknown-destination"
        case unknownInverse = "unknown-inverse"
        case unknownConstraintKey = "unknown-constraint-key"
        case constraintKey = "constraint-key"
        case unknownIndexKey = "unknown-index-key"
        case unknownRequestEntity = "unknown-request-entity"
        case unknownMember = "unknown-member"
        case invalidPredicate = "invalid-predicate"
        case invalidExpression = "invalid-expression"
        case uncompilable
        case lockedVersion = "locked-version"

        // What works otherwise than one expects.
        case noInverse = "no-inverse"
        case oneSidedInverse = "one-sided-inverse"
        case wrongInverse = "wrong-inverse"
        case abstractWithoutSubentities = "abstract-without-subentities"
        case duplicateClass = "duplicate-class"
        case missingClass = "missing-class"
        case caseClash = "case-clash"
        case minimumAboveMaximum = "minimum-above-maximum"
        case toManyOfOne = "to-many-of-one"
        case defaultOutsideBounds = "default-outside-bounds"
        case missingDefault = "missing-default"
        case insecureTransformer = "insecure-transformer"
        case externalStorage = "external-storage"
        case noAction = "no-action"
        case nullifiesRequired = "nullifies-required"
        case indexKey = "index-key"
        case emptyElement = "empty-element"
        case separatedByConfigurations = "separated-by-configurations"
        case unknownKey = "unknown-key"
        case transientKey = "transient-key"

        // What is good to know.
        case ignoredSetting = "ignored-setting"
        case predicateWord = "predicate-word"
        case cloudKit = "cloudkit"
        case cloudKitPort = "cloudkit-port"
    }
}

extension Model.DiagnosticCode {
    /// How much a finding matters.
    public enum Severity: String, Sendable, Hashable, Codable, Comparable, CaseIterable {
        /// The model can't be used as it is.
        case error
        /// It can, and something will go otherwise than one expects.
        case warning
        /// Nothing is wrong; it is good to know all the same.
        case note

        /// The graver one is less: it comes first.
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

    /// How much findings of this kind matter.
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
