import Foundation

/// The scanned sources of one module, with its types by name.
package final class SourceModule {
    /// Where a type or an extension is declared.
    package struct Place: Hashable {
        package var source: Int
        package var scope: Int?

        package init(source: Int, scope: Int? = nil) {
            (self.source, self.scope) = (source, scope)
        }
    }

    package let name: String
    package let sources: [ScannedSource]
    private let types: [String: [Place]]
    /// The modules that an import of this one brings along.
    let exportedImports: [String]

    package init(name: String, sources: [ScannedSource]) {
        self.name = name
        self.sources = sources
        var types: [String: [Place]] = [:]
        for (index, source) in sources.enumerated() {
            for (scope, declared) in source.scopes.enumerated()
            where declared.kind != .extension && !BuildCondition.excludes(declared.conditions) {
                types[declared.path.joined(separator: "."), default: []].append(Place(source: index, scope: scope))
            }
        }
        self.types = types
        exportedImports = sources.flatMap(\.imports).filter(\.isExported).map(\.module)
    }

    /// The declarations of a type: one, or one per condition.
    package func places(of path: [String]) -> [Place] { types[path.joined(separator: ".")] ?? [] }

    package func scope(_ place: Place) -> ScannedScope? { place.scope.map { sources[place.source].scopes[$0] } }

    package func source(_ place: Place) -> ScannedSource { sources[place.source] }

    /// What is around a declaration.
    func parent(_ place: Place) -> Place? {
        scope(place)?.parent.map { Place(source: place.source, scope: $0) }
    }
}

/// The modules that a target's sources may refer to. What is not asked for is not read.
package final class ModuleLibrary {
    package let own: SourceModule
    private let load: (String) -> SourceModule?
    private var loaded: [String: SourceModule?] = [:]

    /// - Parameter load: Scans a module that the target depends on; nil for any other.
    package init(own: SourceModule, load: @escaping (String) -> SourceModule?) {
        self.own = own
        self.load = load
    }

    func module(_ name: String) -> SourceModule? {
        if name == own.name { return own }
        if let known = loaded[name] { return known }
        let module = SystemTypes.isSystemModule(name) ? nil : load(name)
        loaded[name] = .some(module)
        return module
    }

    /// The modules that a file sees, without its own.
    func imports(of source: ScannedSource) -> [SourceModule] {
        var seen: Set<String> = [own.name]
        var queue = source.imports.map(\.module)
        var modules: [SourceModule] = []
        while let name = queue.popLast() {
            guard seen.insert(name).inserted, let module = module(name) else { continue }
            modules.append(module)
            queue += module.exportedImports
        }
        return modules
    }
}
