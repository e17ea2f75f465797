import ArgumentParser

/// `coredata model`: what is done with models and their documents; without a subcommand, one is shown.
struct ModelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model", abstract: "Show a model, lock and check it, or check the documents that hold models.",
        discussion: "`coredata model PATH` shows a model, as `coredata model show PATH` does.",
        subcommands: [
            ModelShowCommand.self, ModelLockCommand.self, ModelLintCommand.self, ModelRoundTripCommand.self,
        ],
        defaultSubcommand: ModelShowCommand.self)
}
