import CoreData

// This file imports CoreData alone: look-ups with optionals are CoreData's here, not Foundation's.

/// What a bundle finds for a name and an extension that are both optionals, in each way to ask.
struct OptionalLookups {
    let url: URL?
    let path: String?
    let inFolder: URL?
    let all: [URL]?

    init(_ bundle: Bundle, _ name: String?, _ ext: String?, version: String?, versionExtension: String?) {
        url = bundle.url(forResource: name, withExtension: ext)
        path = bundle.path(forResource: name, ofType: ext)
        let folder = name.map { $0 + ".momd" }
        inFolder = bundle.url(forResource: version, withExtension: versionExtension, subdirectory: folder)
        all = bundle.urls(forResourcesWithExtension: versionExtension, subdirectory: folder)
    }
}
