import Foundation
import PropertyLists

/// Why a model document could not be read or written: a code, a sentence, and the place.
///
/// ```swift
/// do {
///     _ = try ModelDocumentFolder(contentsOf: url).model()
/// } catch let error as ModelDocumentError where error.code == .damagedXML {
///     print(error)        // League.xcdatamodeld/League.xcdatamodel/contents:12:5: …
/// }
/// ```
///
/// As an `NSError` it has the domain `ModelDocumentErrorDomain`, the code's number, and the file under `NSURLErrorKey`.
public struct ModelDocumentError: Error, Sendable, Hashable {
    /// What went wrong. The numbers stay as they are in later releases.
    public enum Code: Int, Sendable, Hashable {
        /// There is nothing at that place, or it cannot be opened.
        case unreadableFile = 1
        /// The file or folder is no model document.
        case notAModel = 2
        /// The XML is damaged: see line and column.
        case damagedXML = 3
        /// An element lacks something, or says what a model cannot say.
        case invalidContent = 4
        /// The document is of the binary kind that Xcode wrote before version 4.
        case binaryDocument = 5
        /// The folder's `.xccurrentversion` is damaged or names no version of the folder.
        case damagedVersionList = 6
        /// A model resource is damaged.
        case damagedBundleFile = 7
        /// A model resource was written by a later release.
        case newerBundleFile = 8
        /// A document cannot say what a value says.
        case unwritableContent = 9
        /// The document is larger or nested deeper than any that Xcode could open.
        case excessiveContent = 10
        /// The file or folder cannot be written.
        case unwritableFile = 11
        /// There is no version of that name, or none can have it.
        case invalidVersion = 12
        /// An edit names something that the model has not, or gives a name that is taken.
        case invalidEdit = 13
    }

    /// What went wrong, for code that decides by it.
    public var code: Code

    /// A sentence that says what is wrong, and what to do where that is known.
    ///
    /// It does not have the place: ``description`` has both.
    public var message: String

    /// The file or folder, where there is one. A document that was read from bytes has none.
    public var url: URL?

    /// The line in the document, from 1. `nil` where the error is not about one place.
    public var line: Int?

    /// The column in the line, from 1.
    public var column: Int?

    /// An error, for tools that read documents by themselves.
    ///
    /// - Parameters:
    ///   - code: What went wrong.
    ///   - message: The sentence.
    ///   - url: The file or folder.
    ///   - line: The line in the document, from 1.
    ///   - column: The column in the line, from 1.
    public init(_ code: Code, _ message: String, url: URL? = nil, line: Int? = nil, column: Int? = nil) {
        self.code = code
        self.message = message
        self.url = url
        self.line = line
        self.column = column
    }

    /// An error with a sentence that repeats little of what it quotes.
    package init(_ code: Code, sentence: Sentence, url: URL? = nil, line: Int? = nil, column: Int? = nil) {
        self.init(code, sentence.text, url: url, line: line, column: column)
    }

    /// The same error, placed in a file.
    package func at(_ url: URL) -> ModelDocumentError {
        var copy = self
        copy.url = copy.url ?? url
        return copy
    }
}

extension ModelDocumentError: CustomStringConvertible, LocalizedError, CustomNSError {
    /// `path:line:column: sentence`, as compilers print it. Parts that are unknown are left out.
    public var description: String {
        let place = [url?.path, line.map(String.init), column.map(String.init)].compactMap { $0 }
        return place.isEmpty ? message : place.joined(separator: ":") + ": " + message
    }

    /// The same as ``description``, so that `localizedDescription` has the place, too.
    public var errorDescription: String? { description }

    /// The domain of the `NSError`.
    public static var errorDomain: String { "ModelDocumentErrorDomain" }

    /// The number of ``code``.
    public var errorCode: Int { code.rawValue }

    /// The user info of the `NSError`.
    ///
    /// It has ``description`` under `NSLocalizedDescriptionKey`, ``message`` under `NSLocalizedFailureReasonErrorKey`,
    /// and the file under `NSURLErrorKey`.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: description, NSLocalizedFailureReasonErrorKey: message]
        info[NSURLErrorKey] = url
        return info
    }
}
