import Foundation

// Property lists in XML, as they stand in lists of versions and in the metadata of XML stores.

extension Model.UserInfoValue {
    /// Reads a property list in XML.
    ///
    /// - Throws: `ModelDocumentError`, with line and column where they are known.
    package init(propertyListData data: Data) throws {
        try self.init(propertyList: XMLReader.document(data, keepsWhiteSpace: true).root)
    }

    /// Reads a `<plist>` element.
    ///
    /// - Throws: `ModelDocumentError` `invalidContent`, with the line.
    package init(propertyList root: XMLTree) throws {
        guard root.name == "plist", root.elements.count == 1 else {
            throw root.invalid("A property list has one element in <plist>; this is <\(root.name)>.")
        }
        self = try Self(propertyListElement: root.elements[0])
    }

    private init(propertyListElement element: XMLTree) throws {
        switch element.name {
        case "string": self = .string(element.text)
        case "true": self = .boolean(true)
        case "false": self = .boolean(false)
        case "integer": self = .integer(try element.parsed { Int64($0) })
        case "real": self = .real(try element.parsed { Double($0) })
        case "date": self = .date(try element.parsed(Self.seconds))
        case "data": self = .data(try element.parsed(Data.init(wrappedBase64:)))
        case "array": self = .array(try element.elements.map(Self.init(propertyListElement:)))
        case "dict": self = .dictionary(try Self.entries(of: element))
        default: throw element.invalid("<\(element.name)> is nothing that a property list has.")
        }
    }

    private static func entries(of element: XMLTree) throws -> [String: Self] {
        var result: [String: Self] = [:]
        var elements = element.elements[...]
        while let key = elements.popFirst() {
            guard key.name == "key", let value = elements.popFirst() else {
                throw key.invalid("A dictionary has a key before each value.")
            }
            result[key.text] = try Self(propertyListElement: value)
        }
        return result
    }

    private static func seconds(_ text: String) -> Double? {
        (try? Date(text, strategy: .iso8601))?.timeIntervalSinceReferenceDate
    }
}

extension Model.UserInfoValue {
    /// The element that stands for this value.
    ///
    /// - Parameter depth: how deep the element is nested in its list: the lines of data are indented by that many tabs.
    package func propertyListNode(depth: Int = 0) -> MarkupNode {
        switch self {
        case .string(let text): .element(name: "string", children: [.text(text)])
        case .integer(let number): .element(name: "integer", children: [.text(String(number))])
        case .real(let number): .element(name: "real", children: [.text(number.description)])
        case .boolean(let flag): .element(name: flag ? "true" : "false")
        case .date(let seconds):
            .element(
                name: "date",
                children: [.text(Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601))])
        case .data(let data): .element(name: "data", children: [.text(Self.lines(of: data, depth: depth))])
        case .array(let values):
            .element(name: "array", children: values.map { $0.propertyListNode(depth: depth + 1) })
        case .dictionary(let entries): .element(name: "dict", children: Self.nodes(of: entries, depth: depth + 1))
        }
    }

    private static func nodes(of entries: [String: Self], depth: Int) -> [MarkupNode] {
        entries.sorted { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }.flatMap { key, value in
            [.element(name: "key", children: [.text(key)]), value.propertyListNode(depth: depth)]
        }
    }

    /// Foundation breaks lines where a terminal of 76 columns would, with tabs of eight.
    private static func lines(of data: Data, depth: Int) -> String {
        let tabs = String(repeating: "\t", count: depth)
        let width = max(76 - 8 * depth, 4) / 4 * 4
        var rest = data.base64EncodedString()[...]
        var text = "\n"
        while !rest.isEmpty {
            text += tabs + rest.prefix(width) + "\n"
            rest = rest.dropFirst(width)
        }
        return text + tabs
    }
}

extension XMLTree {
    /// The text as a value.
    package func parsed<Value>(_ parse: (String) -> Value?) throws -> Value {
        guard let value = parse(text) else {
            throw invalid("'\(text.prefix(100))' is no value of an element <\(name)>.")
        }
        return value
    }
}

extension Data {
    /// Reads Base64 that is broken into lines.
    package init?(wrappedBase64 text: String) {
        self.init(base64Encoded: Data(text.utf8.filter { !$0.isXMLSpace }))
    }
}
