extension Model {
    /// What a document says of itself in the attributes of its root element, and how its text is laid out.
    ///
    /// ```swift
    /// model.documentInfo = .newDocument()
    /// model.documentInfo?.sourceLanguage = "Objective-C"
    /// ```
    ///
    /// Comparisons leave it out. A program that edits a document mostly leaves it as it was read.
    public struct DocumentInfo: Sendable, Hashable, Codable {
        /// The type of the document.
        ///
        /// In Xcode's documents it is always `com.apple.IDECoreDataModeler.DataModel`.
        public var type: String? = "com.apple.IDECoreDataModeler.DataModel"

        /// The version of the document's format.
        ///
        /// In Xcode's documents it is always `1.0`.
        public var documentVersion: String? = "1.0"

        /// The build of Xcode's modeller that saved the document last, such as `22758`.
        ///
        /// `contents()` writes it as it was read, so that an edit changes nothing else.
        public var lastSavedToolsVersion: String?

        /// The build of macOS on which the document was saved, such as `25B78`.
        public var systemVersion: String?

        /// The oldest Xcode that is to read the document: `Automatic`, or for example `Xcode 9.0`.
        public var minimumToolsVersion: String?

        /// The language of generated classes, `Swift` or `Objective-C`.
        ///
        /// Documents before Xcode 8 do not say.
        public var sourceLanguage: String?

        /// The name of the document, which old documents have in their root element.
        public var name: String?

        /// The oldest macOS that is to use the model, as the document says.
        ///
        /// It has no effect here.
        public var macOSVersion: String?

        /// The oldest iOS that is to use the model, as the document says.
        ///
        /// It has no effect here.
        public var iOSVersion: String?

        /// Whether the model is used with CloudKit: `usedWithCloudKit="YES"`.
        ///
        /// The diagnostics then check CloudKit's rules. It has no other effect here.
        public var isUsedWithCloudKit = false

        /// Whether the model is used with SwiftData: `usedWithSwiftData="YES"`.
        ///
        /// It has no effect here.
        public var isUsedWithSwiftData = false

        /// How the text is laid out where nothing else says it.
        public var layout = Layout()

        /// The attributes that every document has: type and version of the format.
        public init() {}

        /// What a recent Xcode says of a new document.
        ///
        /// - Parameter sourceLanguage: `Swift` or `Objective-C`.
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
    /// How a document's text is laid out where Xcode's own documents differ, or where an editor or version control
    /// changed it.
    ///
    /// With it, a document that was read and written without a change has the same bytes.
    public struct Layout: Sendable, Hashable, Codable {
        /// Whether lines end in carriage return and line feed, as version control on Windows leaves them.
        public var hasWindowsLineEnds = false

        /// Whether the last line ends in a line end. Xcode leaves it out.
        public var endsInNewline = false

        /// Whether `>` stands as it is in an attribute's value, instead of `&gt;`.
        public var leavesGreaterThan = false

        /// Whether the document has the element of a diagram without anything in it.
        public var hasEmptyDiagram = false

        /// The layout of Xcode's documents.
        public init() {}
    }
}
