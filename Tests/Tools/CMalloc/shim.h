// What the tests of memory ask: how much has been allocated. Glibc's module for Swift lacks it.
#include <malloc.h>
