extension Model {
    /// What a document says of itself in the attributes of its root element, and how its text is laid out.
    public struct DocumentInfo: Sendable, Hashable, Codable {
        /// Always `com.apple.IDECoreDataModeler.DataModel` in Xcode's documents.
        public var type: String? = "com.apple.IDECoreDataModeler.DataModel"
        public var documentVersion: String? = "1.0"
        /// The build of Xcode's modeller that saved the document last, such as `22758`.
        public var lastSavedToolsVersion: String?
        /// The build of macOS on which it was saved.
        public var systemVersion: String?
        /// The oldest Xcode that is to read the document: `Automatic` or such as `Xcode 9.0`.
        public var minimumToolsVersion: String?
        /// The language of generated classes, `Swift` or `Objective-C`; documents before Xcode 8 do not say.
        public var sourceLanguage: String?
        public var name: String?
        public var macOSVersion: String?
        public var iOSVersion: String?
        public var isUsedWithCloudKit = false
        public var isUsedWithSwiftData = false
        /// How the text is laid out where that does not follow from anything else.
        public var layout = Layout()

        public init() {}

        /// What a recent Xcode says of a new document.
        public static func newDocument(sourceLanguage: String = "Swift") -> DocumentInfo {
            var info = DocumentInfo()
            info.lastSavedToolsVersion = "24512"
            info.systemVersion = "25B78"
            info.minimumToolsVersion = "Automatic"
            info.sourceLanguage = sourceLanguage
            return info
        }
    }
}

extension Model.DocumentInfo {
    /// How a document's text is laid out where Xcode's own documents differ, or where an editor or version control had
    /// its hand in it.
    public struct Layout: Sendable, Hashable, Codable {
        /// Whether lines end in carriage return and line feed, as version control on Windows leaves them.
        public var hasWindowsLineEnds = false
        /// Whether the last line ends in a line end; Xcode leaves it out.
        public var endsInNewline = false
        /// Whether `>` stands as it is in an attribute's value, instead of `&gt;`.
        public var leavesGreaterThan = false
        /// Whether the document holds the element of a diagram without anything in it.
        public var hasEmptyDiagram = false

        public init() {}
    }
}
