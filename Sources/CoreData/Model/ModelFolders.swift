import FoundationGaps

/// The folders in which a program's models are.
///
/// SwiftPM lays the resources of each target into a bundle `PACKAGE_TARGET.resources` (or `.bundle`) beside the
/// executable, those of other programs of the build among them.
enum ModelFolders {
    /// The main bundle's resources, then the resource bundles beside the executable, this program's first.
    static var own: [URL] {
        let main = Bundle.main
        let roots = [main.resourceURL, main.bundleURL, main.executableURL?.deletingLastPathComponent()]
        return unique(roots.compactMap { $0 } + roots.compactMap { $0 }.flatMap(resourceBundles))
    }

    /// The models in some bundles; nil stands for the program's own, and so does an empty list: that is what
    /// `Bundle.allBundles` is on Linux.
    static func modelURLs(in bundles: [Bundle]?) -> [URL] {
        urls(in: bundles, withExtensions: ModelSource.pathExtensions)
    }

    /// The files and folders with some extensions, in the same places.
    static func urls(in bundles: [Bundle]?, withExtensions extensions: [String]) -> [URL] {
        let searched = bundles.flatMap { $0.isEmpty ? nil : $0.flatMap(folders) } ?? own
        return unique(
            searched.flatMap { folder in
                contents(of: folder) { name in extensions.contains { name.hasSuffix("." + $0) } }
            })
    }

    /// Like ``modelURLs(in:)``, without the models of other programs where those of this one are known.
    static func modelURLsOfProgram(in bundles: [Bundle]?) -> [URL] {
        let all = modelURLs(in: bundles)
        let modules = modulesOfProgram
        let ours = all.filter { url in isBundle(url.deletingLastPathComponent(), of: modules) }
        return ours.isEmpty
            ? all : all.filter { ours.contains($0) || !isResourceBundle($0.deletingLastPathComponent()) }
    }

    /// A bundle's resources, then the resource bundles that a build lays into it: those of its targets.
    private static func folders(of bundle: Bundle) -> [URL] {
        if bundle == Bundle.main { return own }
        let roots = [bundle.resourceURL, bundle.bundleURL].compactMap { $0 }
        return unique(roots + roots.flatMap(resourceBundles))
    }

    private static func resourceBundles(beside folder: URL) -> [URL] {
        let modules = modulesOfProgram
        let bundles = contents(of: folder, where: isResourceBundle)
        let ours = bundles.filter { isBundle($0, of: modules) }
        return (ours + bundles.filter { !ours.contains($0) })
            .flatMap { [$0, $0.appendingPathComponent("Contents/Resources")] }
    }

    private static func isResourceBundle(_ folder: URL) -> Bool { isResourceBundle(folder.lastPathComponent) }

    private static func isResourceBundle(_ name: String) -> Bool {
        name.hasSuffix(".resources") || name.hasSuffix(".bundle")
    }

    private static func isBundle(_ folder: URL, of modules: Set<String>) -> Bool {
        let name = folder.deletingPathExtension().lastPathComponent
        return isResourceBundle(folder) && modules.contains { name.hasSuffix("_" + $0) }
    }

    /// The modules that are known to be part of this program: that of the executable, and those with managed classes.
    private static var modulesOfProgram: Set<String> {
        let program = Bundle.main.executableURL?.deletingPathExtension().lastPathComponent
        return ManagedClasses.shared.modules.union([program].compactMap { $0 })
    }

    /// The modules that may be part of this program: that of the executable, and those that have resources beside it.
    static var modulesBeside: [String] {
        let bundles = own.filter(isResourceBundle).map { $0.deletingPathExtension().lastPathComponent }
        // `PACKAGE_TARGET`, where both may have underscores.
        let targets = bundles.flatMap { name in
            name.indices.filter { name[$0] == "_" }.map { String(name[name.index(after: $0)...]) }
        }
        let program = Bundle.main.executableURL?.deletingPathExtension().lastPathComponent
        return ([program].compactMap { $0 } + targets).map { name in
            String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
        }
    }

    /// The files in a folder that have the right names, by name. A build's folder has hundreds of others, and a URL
    /// costs more than a name.
    private static func contents(of folder: URL, where isRight: (String) -> Bool) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter(isRight).sorted().map { folder.appendingPathComponent($0) }
    }

    private static func unique(_ urls: [URL]) -> [URL] {
        var known = Set<String>()
        return urls.filter { known.insert($0.standardizedFileURL.resolvingSymlinksInPath().path).inserted }
    }
}
