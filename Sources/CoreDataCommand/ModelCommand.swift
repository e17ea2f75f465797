import ArgumentParser

/// `coredata model`: what is done with models and their documents; without a subcommand, one is shown.
struct ModelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model",
        abstract: "Show, draw, export, draft, check, compare, merge and lock models, and infer mappings.",
        discussion: """
            `coredata model PATH` shows a model, as `coredata model show PATH` does.

            EXAMPLES
              coredata model League.xcdatamodeld
              coredata model lint League.xcdatamodeld
              coredata model diff League.xcdatamodeld --git HEAD
            """,
        subcommands: [
            ModelShowCommand.self, ModelGraphCommand.self, ModelExportCommand.self, ModelDraftCommand.self,
            ModelLintCommand.self, ModelDiffCommand.self,
            ModelInferCommand.self, ModelMergeCommand.self,
            ModelLockCommand.self, ModelRoundTripCommand.self,
        ],
        defaultSubcommand: ModelShowCommand.self)
}
