import ModelFormat

extension Model.Attribute {
    /// The Swift type and the way to it, as Xcode's generator chooses them: optional whatever the model says, but
    /// scalars where the model asks for them.
    ///
    /// - Parameter customClass: the class of a transformable attribute's values; empty for none.
    func kind(customClass: String) -> PropertyPlan.Kind {
        let isScalar = usesScalarValueType ?? false
        return switch type {
        case .integer16: isScalar ? .value(type: "Int16") : .boxedNumber
        case .integer32: isScalar ? .value(type: "Int32") : .boxedNumber
        case .integer64: isScalar ? .value(type: "Int64") : .boxedNumber
        case .double: isScalar ? .value(type: "Double") : .boxedNumber
        case .float: isScalar ? .value(type: "Float") : .boxedNumber
        case .boolean: isScalar ? .value(type: "Bool") : .boxedNumber
        case .date: isScalar ? .timeInterval : .value(type: "Date?")
        case .decimal: .value(type: "NSDecimalNumber?")
        case .string: .value(type: "String?")
        case .binary: .value(type: "Data?")
        case .uuid: .value(type: "UUID?")
        case .uri: .value(type: "URL?")
        case .transformable: .transformable(type: customClass.isEmpty ? "NSObject" : customClass)
        case .undefined: .transformable(type: "NSObject")
        case .objectID: .transformable(type: "NSManagedObjectID")
        case .composite: .transformable(type: "[String: Any]")
        }
    }
}

extension PropertyPlan.Kind {
    /// A number that may be nil. It takes the general way: an overload of `managedValue` for `NSNumber?` would be
    /// ambiguous with the one for `NSDecimalNumber?`.
    fileprivate static let boxedNumber = transformable(type: "NSNumber")
}
