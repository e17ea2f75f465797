import Foundation
import PropertyLists

/// What a damaged, foreign or hostile archive ends in: `NSFileReadCorruptFileError` (259) in Cocoa's domain, with a
/// sentence that says what is wrong, as description and as debugging text.
func corruptArchive(_ sentence: Sentence) -> CocoaError {
    archiveError(.fileReadCorruptFile, sentence.text)
}

/// What a value that no archive can say ends in: `NSFileWriteUnknownError` (512) in Cocoa's domain, with a sentence.
func unwritableValue(_ sentence: Sentence) -> CocoaError {
    archiveError(.fileWriteUnknown, sentence.text)
}

private func archiveError(_ code: CocoaError.Code, _ sentence: String) -> CocoaError {
    CocoaError(code, userInfo: [NSLocalizedDescriptionKey: sentence, NSDebugDescriptionErrorKey: sentence])
}
