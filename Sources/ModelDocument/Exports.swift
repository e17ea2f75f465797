// Documents, their checks, and what compares, merges and edits them: one module for applications. It is built of
// several, so that a build of an app, which needs the documents alone, compiles no more than these.

@_exported import DocumentDiagnostics
@_exported import MappingDocument
@_exported import ModelFormat
