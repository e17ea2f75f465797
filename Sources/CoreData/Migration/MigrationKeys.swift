// The variables of value expressions, by the names that expressions know without `$`.

/// The name of the variable for the migration manager: `"manager"`.
///
/// In an expression it is `$manager`. See ``NSPropertyMapping/valueExpression``.
public let NSMigrationManagerKey = "manager"

/// The name of the variable for the source object: `"source"`.
///
/// ```swift
/// let context: NSMutableDictionary = [NSMigrationSourceObjectKey: sInstance]
/// let value = propertyMapping.valueExpression?.expressionValue(with: sInstance, context: context)
/// ```
public let NSMigrationSourceObjectKey = "source"

/// The name of the variable for the destination object: `"destination"`.
///
/// In an expression it is `$destination`. See ``NSPropertyMapping/valueExpression``.
public let NSMigrationDestinationObjectKey = "destination"

/// The name of the variable for the entity mapping: `"entityMapping"`.
///
/// In an expression it is `$entityMapping`. See ``NSPropertyMapping/valueExpression``.
public let NSMigrationEntityMappingKey = "entityMapping"

/// The name of the variable for the property mapping: `"propertyMapping"`.
///
/// In an expression it is `$propertyMapping`. See ``NSPropertyMapping/valueExpression``.
public let NSMigrationPropertyMappingKey = "propertyMapping"

/// The name of the variable for the migration policy: `"entityPolicy"`.
///
/// In an expression it is `$entityPolicy`. See ``NSEntityMigrationPolicy``.
public let NSMigrationEntityPolicyKey = "entityPolicy"
