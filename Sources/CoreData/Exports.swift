@_exported import FoundationGaps

// For generated code: where a file imports Foundation too, even `CoreData.NSExpression` could be Foundation's.
public typealias _NSExpression = NSExpression
public typealias _NSComparisonPredicate = NSComparisonPredicate
public typealias _NSCompoundPredicate = CompoundPredicate
