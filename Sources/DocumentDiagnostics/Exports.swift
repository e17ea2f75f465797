@_exported import ModelFormat
