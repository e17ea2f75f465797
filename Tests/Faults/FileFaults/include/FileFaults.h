// Stands between a program and the C library: counts every call that reaches a file below one folder, and fails, cuts
// short or ends the program at one of them.
//
// Linked into a program, its functions (`open64`, `pwrite64`, `rename`, …) come before the C library's, for all shared
// libraries of the program too. So SQLite's calls and Foundation's are seen alike. Calls on other files pass.
#ifndef FILE_FAULTS_H
#define FILE_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum __attribute__((enum_extensibility(closed))) {
    FileCallOpen,
    FileCallRead,
    FileCallWrite,
    FileCallSync,
    FileCallTruncate,
    FileCallLock,
    FileCallDelete,
    FileCallRename,
    FileCallLink,
    FileCallMakeFolder,
    FileCallRemoveFolder,
    FileCallMap,
    // Reads the names in a folder.
    FileCallList,
    // Asks for a file's size, permissions or existence.
    FileCallLook,
    // Sets permissions, owner or times.
    FileCallAttributes,
    // No call: the program has come to a point that it marked.
    FileCallMark,
} FileCallKind;

typedef struct {
    FileCallKind kind;
    // Which opening of a file; 0 where a path says which file.
    uint32_t handle;
    // Whether an open made the file, or emptied it.
    bool creates, empties;
    // Whether the call did what it was asked for. A cut write has its shorter length.
    bool succeeded;
    int64_t offset;
    // Of a write, its bytes; of a truncation, the new length.
    uint64_t length;
    const void *bytes;
    // The path below the folder, with a slash at its start; of a call by descriptor, the path by which it was opened.
    const char *path;
    // Of a renaming or a link, the new path.
    const char *otherPath;
} FileCall;

typedef enum __attribute__((enum_extensibility(closed))) {
    FileFaultNone,
    // The call fails with EIO, once.
    FileFaultError,
    // This call and all that follow fail with EIO, except locks, which are in the system's memory.
    FileFaultDead,
    // From this call on nothing gets room: the first write that makes a file longer does its first half, all others
    // fail with ENOSPC.
    FileFaultFull,
    // A read or write does its first half and says so.
    FileFaultShort,
    // A signal interrupts the call, once (EINTR).
    FileFaultInterrupted,
    // The program is killed before the call; a write does its first half.
    FileFaultKill,
} FileFault;

// Watches files below a folder from now on, and forgets all calls. NULL: watches none. No file there may be open.
void filefaults_watch(const char *folder);

// Whether calls are kept with their bytes, for filefaults_call.
void filefaults_record(bool records);
uint64_t filefaults_count_recorded(void);
const FileCall *filefaults_call(uint64_t index);
void filefaults_mark(void);

// Counts from 0, and has the fault come at a call, counted from 1; 0: never.
void filefaults_arm(FileFault fault, uint64_t call);
// Whether calls are neither counted nor fail for a while.
void filefaults_pause(bool pauses);
// Ends counting and faults.
//
// Returns how many calls there were.
uint64_t filefaults_disarm(void);
// Whether a fault has come since the last filefaults_arm, and at which kind of call and path.
bool filefaults_came(FileCallKind *kind, char *path, size_t size);

#endif
