import Foundation

extension Model {
    /// The place of an element in a model: which child to take at each step from the root of its document.
    ///
    /// The elements of a value and those of its document are in the same order, so a path made for one is good for the
    /// other. Names may be missing, or there twice, in a model that is to be checked; positions always are unique.
    public struct ElementPath: Sendable, Hashable, Codable {
        /// One step down.
        public struct Step: Sendable, Hashable, Codable {
            /// The element's name in documents, such as `attribute`.
            public var name: String
            /// How many elements of that name come before it in its parent.
            public var index: Int
        }

        public var steps: [Step]

        /// The root: the model itself.
        public static let model = ElementPath(steps: [])

        /// The element at that position among the elements of its name.
        public func child(_ name: String, _ index: Int) -> ElementPath {
            ElementPath(steps: steps + [Step(name: name, index: index)])
        }
    }
}

extension Model {
    /// The lines on which the elements of a document begin: where a finding is to be looked for.
    ///
    /// ```swift
    /// let lines = try Model.DocumentLines(contents: data)
    /// for diagnostic in try Model(contents: data).diagnostics {
    ///     print("\(lines.line(of: diagnostic.path)): \(diagnostic)")
    /// }
    /// ```
    public struct DocumentLines: Sendable, Hashable {
        private var lines: [ElementPath: Int] = [:]

        /// Reads the text of a `contents` file.
        ///
        /// - Throws: `ModelDocumentError` for a damaged document.
        public init(contents: Data) throws {
            add(try XMLReader.document(contents).root, at: .model)
        }

        /// The line of an element, counted from 1; for one that is not in the document, that of the nearest element
        /// around it.
        public func line(of path: ElementPath) -> Int {
            var path = path
            while !path.steps.isEmpty {
                if let line = lines[path] { return line }
                path.steps.removeLast()
            }
            return lines[.model] ?? 1
        }

        private mutating func add(_ element: XMLTree, at path: ElementPath) {
            lines[path] = element.line
            var counts: [String: Int] = [:]
            for child in element.elements {
                let index = counts[child.name, default: 0]
                counts[child.name] = index + 1
                add(child, at: path.child(child.name, index))
            }
        }
    }
}

extension Model {
    /// The path of an entity, or of one of its own properties; `nil` for an entity that is not there. Of a property
    /// that is not there, the entity's.
    public func path(ofEntity name: String, property: String? = nil) -> ElementPath? {
        guard let index = entities.firstIndex(where: { $0.name == name }) else { return nil }
        let (entity, path) = (entities[index], ElementPath.model.child("entity", index))
        if let place = entity.attributes.firstIndex(where: { $0.name == property }) {
            return path.child("attribute", place)
        }
        if let place = entity.relationships.firstIndex(where: { $0.name == property }) {
            return path.child("relationship", place)
        }
        if let place = entity.fetchedProperties.firstIndex(where: { $0.name == property }) {
            return path.child("fetchedProperty", place)
        }
        return path
    }
}
