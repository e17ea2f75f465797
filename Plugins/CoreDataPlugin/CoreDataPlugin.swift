import Foundation
import PackagePlugin

/// Compiles the Core Data models of a target, and what its managed classes leave to Core Data.
///
/// For each `NAME.xcdatamodeld` (or single `NAME.xcdatamodel`) anywhere in the target's folder the build gets a
/// resource `NAME.momd`, which `NSPersistentContainer(name: "NAME")` finds, and a Swift file with a class for every
/// entity that asks for one by its code generation. The manifest keeps the document out of SwiftPM's way, by `exclude:`
/// or as a resource.
///
/// For each `NAME.xcmappingmodel` it gets a resource `NAME.cdm`, which `NSMappingModel(from:forSourceModel:
/// destinationModel:)` finds.
///
/// For the target's sources it gets one more file: the bodies of `@NSManaged` properties and methods, and tables by
/// which key-value coding finds the classes' other properties. Files that only compile with Objective-C, as Xcode
/// generates them, stand in a folder that the manifest excludes; copies without that are compiled in their place. An
/// excluded folder with Swift files that are not compiled in any form is a warning.
@main
struct CoreDataPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else { return [] }
        let tool = try context.tool(named: "ModelCompilerTool").url
        let models = ModelDocuments(in: target.directoryURL)
        try models.checkNames()
        let documents = models.urls.map { model in
            let name = model.deletingPathExtension().lastPathComponent
            let code = context.pluginWorkDirectoryURL.appending(path: "\(name)+CoreDataModel.swift")
            let bundle = context.pluginWorkDirectoryURL.appending(path: "\(name).momd")
            return Command.buildCommand(
                displayName: "Compiling model \(name) for \(target.name)", executable: tool,
                arguments: [
                    "--model", model.path(percentEncoded: false), "--module", target.moduleName,
                    "--code", code.path(percentEncoded: false), "--bundle", bundle.path(percentEncoded: false),
                ],
                inputFiles: models.files(of: model), outputFiles: [code, bundle])
        }
        let mappings = try MappingDocuments(in: target.directoryURL).commands(
            tool, models: models, package: context.package, workDirectory: context.pluginWorkDirectoryURL)
        guard let swift = target as? SwiftSourceModuleTarget else { return documents + mappings }
        let sources = TargetSources(of: swift, in: context.package, models: models)
        for folder in sources.idleFolders { Diagnostics.warning(folder.warning) }
        return documents + mappings + [sources.command(tool, workDirectory: context.pluginWorkDirectoryURL)]
    }
}
