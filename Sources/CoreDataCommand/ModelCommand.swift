import ArgumentParser

/// `coredata model`: what is done with models and their documents; without a subcommand, one is shown.
struct ModelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model", abstract: "Show a model, lock and check it.",
        subcommands: [ModelShowCommand.self, ModelLockCommand.self, ModelLintCommand.self],
        defaultSubcommand: ModelShowCommand.self)
}
