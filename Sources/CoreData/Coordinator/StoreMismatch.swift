import FoundationGaps

/// Says what differs between a store's model and the one that it was to be opened with, and what can be done.
struct StoreMismatch {
    let url: URL
    let metadata: [String: Any]
    /// The model that made the store; nil where it is not at hand.
    let source: NSManagedObjectModel?
    let model: NSManagedObjectModel
    let options: [AnyHashable: Any]?

    static let waysWithoutInference =
        "Give the model defaults, optional properties or renaming identifiers so that a mapping can be inferred, "
        + "write a mapping model, or export the data with the store's own version of the model."

    /// The error 134100 with all that is known.
    ///
    /// `userInfo` has more under "differences" (strings), "canInferMapping" (a number) and "obstacles" (strings).
    func explanation(of error: NSError) -> NSError {
        guard let source else { return error }
        let mapping = InferredMapping(from: source, to: model)
        let differences = ModelDifference(mapping).sentences
        let obstacles = InferenceObstacle.sentences(mapping.obstacles)
        var info = error.userInfo
        info["differences"] = differences
        info["canInferMapping"] = NSNumber(value: obstacles.isEmpty)
        info["obstacles"] = obstacles
        info[NSLocalizedFailureReasonErrorKey] = reason(differences, obstacles)
        info[NSLocalizedRecoverySuggestionErrorKey] = suggestion(mapping)
        return NSError(domain: error.domain, code: error.code, userInfo: info)
    }

    private func reason(_ differences: [String], _ obstacles: [String]) -> String {
        let told =
            differences.isEmpty ? "The entities are the same in both." : differences.joined(separator: "; ") + "."
        let migration =
            obstacles.isEmpty
            ? "A migration can be inferred."
            : "A migration can't be inferred: \(obstacles.joined(separator: "; "))."
        return [age, told, migration].compactMap { $0 }.joined(separator: " ")
    }

    private func suggestion(_ mapping: InferredMapping) -> String {
        if mapping.obstacles.contains(where: { $0.rows == nil }) { return Self.waysWithoutInference }
        let isReadOnly = (options?[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false
        let words = isReadOnly ? "Open the store once without NSReadOnlyPersistentStoreOption, and set" : "Set"
        return words
            + " NSMigratePersistentStoresAutomaticallyOption and NSInferMappingModelAutomaticallyOption; or open the "
            + "store with the version of the model that made it."
    }

    /// Whether another release of the program has made the store, where that can be told.
    private var age: String? {
        ModelVersions.ofProgram(with: model).age(of: metadata, comparedTo: model).map {
            switch $0 {
            case .newer: "A newer version of the model made the store."
            case .unknown:
                "No version of the model that the program has made the store; a newer release of the program may have."
            case .older: "An older version of the model made the store."
            }
        }
    }
}

/// The versions of a model that a program has, in their order.
struct ModelVersions {
    enum Age: Equatable { case older, newer, unknown }

    /// The version hashes of each version, the oldest first.
    let hashes: [[String: Data]]

    /// The versions of the model file that a model is in; none where no file of the program's bundles has it.
    static func ofProgram(with model: NSManagedObjectModel) -> ModelVersions {
        let own = model.entityVersionHashesByName
        for url in ModelFolders.modelURLs(in: nil) {
            let versions = NSManagedObjectModel.versions(at: url)
            guard versions.contains(where: { $0.model.entityVersionHashesByName == own }) else { continue }
            let ordered = versions.sorted { $0.name.compare($1.name, options: .numeric) == .orderedAscending }
            return ModelVersions(hashes: ordered.map(\.model.entityVersionHashesByName))
        }
        return ModelVersions(hashes: [])
    }

    /// How old the version is that made a store; nil where the versions do not tell.
    func age(of metadata: [String: Any], comparedTo model: NSManagedObjectModel) -> Age? {
        guard let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data],
            let own = hashes.firstIndex(of: model.entityVersionHashesByName)
        else { return nil }
        guard let place = hashes.firstIndex(of: stored) else { return hashes.count > 1 ? .unknown : nil }
        return place == own ? nil : place < own ? .older : .newer
    }
}
