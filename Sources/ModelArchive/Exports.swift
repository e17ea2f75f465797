// Code that reads archives also computes the digests that they contain.
@_exported import Digests
