import ModelCompiler

print("")
