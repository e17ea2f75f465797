/// A value that stands for an element of a document.
///
/// The table of its attributes and the list of its children describe the element in both directions: what is read with
/// them can be written with them exactly as it was.
package protocol ElementValue {
    /// The element's attributes, in the order in which Xcode writes them.
    static var attributeCodings: [AttributeCoding<Self>] { get }
    /// The attributes without which the element says nothing.
    static var requiredAttributes: [String] { get }
    /// A value as it is before any attribute is read.
    static var blank: Self { get }
    var foreign: ForeignContent { get set }

    /// Takes up a child element; `false` if the value has no property for it.
    mutating func readChild(_ child: XMLTree) throws -> Bool

    /// The attributes in the order in which they are written for this very value.
    var orderedCodings: [AttributeCoding<Self>] { get }
    /// The child elements that the properties stand for, in Xcode's order.
    ///
    /// - Throws: `ModelDocumentError` `unwritableContent` for what a document cannot say.
    func writeChildren() throws -> [MarkupNode]
    /// Names a property that only compiled models can hold, if this value holds one.
    var unwritableProperty: String? { get }
}

extension ElementValue {
    package static var requiredAttributes: [String] { ["name"] }
    package mutating func readChild(_ child: XMLTree) throws -> Bool { false }
    package var orderedCodings: [AttributeCoding<Self>] { Self.attributeCodings }
    package func writeChildren() throws -> [MarkupNode] { [] }
    package var unwritableProperty: String? { nil }
}

// MARK: - Reading

// Neither this nor the tables are specialised for each of the twenty elements: documents are small, and an app's build
// compiles this module twice.
extension ElementValue {
    /// Reads an element with everything in it.
    ///
    /// - Throws: `ModelDocumentError` `invalidContent` for a missing or impossible attribute.
    @_semantics("optimize.sil.specialize.generic.never")
    package init(_ element: XMLTree) throws {
        self = .blank
        try readAttributes(of: element)
        try readChildren(of: element)
    }

    @_semantics("optimize.sil.specialize.generic.never")
    private mutating func readAttributes(of element: XMLTree) throws {
        for name in Self.requiredAttributes where element.attributes[name] == nil {
            throw element.invalid("The element <\(element.name)> needs the attribute '\(name)'.")
        }
        for coding in Self.attributeCodings {
            guard let text = element.attributes[coding.name] else { continue }
            guard coding.read(text, &self) else {
                throw element.invalid(
                    "'\(text)' is no value for the attribute '\(coding.name)' of <\(element.name)>\(element.nameSuffix)."
                )
            }
        }
        noteSpellings(in: element.attributes)
    }

    @_semantics("optimize.sil.specialize.generic.never")
    private mutating func noteSpellings(in attributes: XMLAttributes) {
        for coding in Self.attributeCodings {
            let spelled = attributes[coding.name]
            guard spelled != coding.write(self) else { continue }
            if let spelled {
                foreign.spellings[coding.name] = spelled
            } else {
                foreign.omissions.insert(coding.name)
            }
        }
        for (position, attribute) in attributes.all.enumerated()
        where !Self.attributeCodings.contains(where: { $0.name == attribute.name }) {
            foreign.attributes.append(.init(position: position, name: attribute.name, value: attribute.value))
        }
    }

    @_semantics("optimize.sil.specialize.generic.never")
    private mutating func readChildren(of element: XMLTree) throws {
        // Gathered first: `foreign` may be computed, and then be copied with each change.
        var unknown: [ForeignContent.Child] = []
        for (position, content) in element.children.enumerated() {
            if case .element(let child) = content, try readChild(child) { continue }
            unknown.append(.init(position: position, node: MarkupNode(content)))
        }
        foreign.children = unknown
    }
}

extension XMLTree {
    fileprivate var nameSuffix: String {
        attributes["name"].map { " '\($0)'" } ?? ""
    }
}
