#define _GNU_SOURCE
#include "FileFaults.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <unistd.h>

// The C library's function of a name.
#define REAL(name) ({ \
    static __typeof__(&name) real; \
    if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
    real; \
})

enum { most_descriptors = 4096 };

typedef struct {
    uint32_t handle;
    char *path;
    off_t place;
    bool appends;
} Descriptor;

// Calls of all threads come one at a time, so that the record has the order in which they took effect.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char folder[PATH_MAX];
static size_t folder_length;
static Descriptor *descriptors[most_descriptors];
static uint32_t last_handle;

static bool is_recording;
static FileCall *calls;
static uint64_t call_count, call_room;

static bool is_armed, is_paused;
static FileFault fault;
static uint64_t fault_place, counted;
static bool has_come;
static FileCallKind come_kind;
static char come_path[PATH_MAX];

// MARK: What is watched

static const char *watched(const char *path) {
    if (!folder_length || !path || strncmp(path, folder, folder_length) != 0) return NULL;
    const char *rest = path + folder_length;
    return *rest == '/' || *rest == 0 ? rest : NULL;
}

static Descriptor *descriptor(int number) {
    return number >= 0 && number < most_descriptors ? descriptors[number] : NULL;
}

static void forget(int number) {
    Descriptor *old = descriptor(number);
    if (!old) return;
    descriptors[number] = NULL;
    free(old->path);
    free(old);
}

void filefaults_watch(const char *path) {
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < most_descriptors; i++) forget(i);
    folder_length = 0;
    if (path && realpath(path, folder)) folder_length = strlen(folder);
    for (uint64_t i = 0; i < call_count; i++) {
        free((void *)calls[i].bytes);
        free((void *)calls[i].path);
        free((void *)calls[i].otherPath);
    }
    call_count = 0;
    is_armed = false;
    pthread_mutex_unlock(&mutex);
}

// MARK: The record

void filefaults_record(bool records) { is_recording = records; }
uint64_t filefaults_count_recorded(void) { return call_count; }
const FileCall *filefaults_call(uint64_t index) { return &calls[index]; }

static void note(FileCall call, const void *bytes, size_t length) {
    if (!is_recording) return;
    if (call_count == call_room) {
        call_room = call_room ? 2 * call_room : 1024;
        calls = realloc(calls, call_room * sizeof(FileCall));
    }
    call.path = call.path ? strdup(call.path) : NULL;
    call.otherPath = call.otherPath ? strdup(call.otherPath) : NULL;
    if (bytes) call.bytes = memcpy(malloc(length ? length : 1), bytes, length);
    calls[call_count++] = call;
}

void filefaults_mark(void) {
    pthread_mutex_lock(&mutex);
    note((FileCall){.kind = FileCallMark}, NULL, 0);
    pthread_mutex_unlock(&mutex);
}

// MARK: Faults

void filefaults_arm(FileFault which, uint64_t call) {
    pthread_mutex_lock(&mutex);
    fault = which;
    fault_place = call;
    counted = 0;
    has_come = false;
    is_armed = true;
    pthread_mutex_unlock(&mutex);
}

void filefaults_pause(bool pauses) {
    pthread_mutex_lock(&mutex);
    is_paused = pauses;
    pthread_mutex_unlock(&mutex);
}

uint64_t filefaults_disarm(void) {
    pthread_mutex_lock(&mutex);
    is_armed = false;
    uint64_t result = counted;
    pthread_mutex_unlock(&mutex);
    return result;
}

bool filefaults_came(FileCallKind *kind, char *path, size_t size) {
    *kind = come_kind;
    strncpy(path, come_path, size - 1);
    path[size - 1] = 0;
    return has_come;
}

static bool may_be_interrupted(FileCallKind kind) {
    return kind == FileCallOpen || kind == FileCallRead || kind == FileCallWrite;
}

static void kill_program(void) {
    kill(getpid(), SIGKILL);
    while (true) pause();
}

// Counts a call.
//
// Returns the error that it is to fail with, or 0. `half`: whether its first half is to be done. The program does not
// come back from a kill, which a write carries out when its half is done.
static int count(FileCallKind kind, const char *path, bool grows, bool *half) {
    *half = false;
    if (!is_armed || is_paused) return 0;
    counted++;
    if (fault == FileFaultNone || !fault_place || counted < fault_place) return 0;
    bool is_first = counted == fault_place;
    int error = 0;
    switch (fault) {
    case FileFaultNone: return 0;
    case FileFaultError: error = is_first ? EIO : 0; break;
    case FileFaultDead: error = kind == FileCallLock ? 0 : EIO; break;
    case FileFaultFull:
        error = grows ? ENOSPC : 0;
        *half = error && !has_come && kind == FileCallWrite;
        break;
    case FileFaultShort: *half = is_first && (kind == FileCallWrite || kind == FileCallRead); break;
    case FileFaultInterrupted: error = is_first && may_be_interrupted(kind) ? EINTR : 0; break;
    case FileFaultKill:
        if (kind == FileCallWrite) *half = true;
        else kill_program();
    }
    if ((error || *half) && !has_come) {
        has_come = true;
        come_kind = kind;
        strncpy(come_path, path ? path : "", sizeof come_path - 1);
    }
    return error;
}

// What a call of one path does: counts it, fails, or calls.
#define ON_PATH(call_kind, name, below, grows, result, ...) ({ \
    pthread_mutex_lock(&mutex); \
    bool half; \
    int error = count(call_kind, below, grows, &half); \
    __typeof__(REAL(name)(__VA_ARGS__)) outcome = (result); \
    if (!error) { outcome = REAL(name)(__VA_ARGS__); error = errno; } \
    FileCall call = {.kind = call_kind, .path = below, .succeeded = outcome != (result)}; \
    note(call, NULL, 0); \
    pthread_mutex_unlock(&mutex); \
    errno = error; \
    outcome; \
})

// MARK: Opening and closing

static int begin(int number, const char *below, int flags, bool exists) {
    if (number < 0 || number >= most_descriptors) return number;
    forget(number);
    Descriptor *new = calloc(1, sizeof(Descriptor));
    *new = (Descriptor){.handle = ++last_handle, .path = strdup(below), .appends = flags & O_APPEND};
    descriptors[number] = new;
    note((FileCall){.kind = FileCallOpen, .handle = new->handle, .path = below, .creates = !exists,
                    .empties = flags & O_TRUNC, .succeeded = true}, NULL, 0);
    return number;
}

static int open_watched(const char *path, const char *below, int flags, mode_t mode) {
    pthread_mutex_lock(&mutex);
    struct stat status;
    bool exists = REAL(stat64)(path, (struct stat64 *)&status) == 0;
    bool half;
    int error = count(FileCallOpen, below, (flags & O_CREAT) && !exists, &half);
    int number = -1;
    if (!error) {
        number = REAL(open64)(path, flags, mode);
        error = errno;
        begin(number, below, flags, exists);
    }
    pthread_mutex_unlock(&mutex);
    errno = error;
    return number;
}

#define OPEN_MODE(flags) ({ \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | O_TMPFILE)) { \
        va_list list; \
        va_start(list, flags); \
        mode = va_arg(list, mode_t); \
        va_end(list); \
    } \
    mode; \
})

int open(const char *path, int flags, ...) {
    mode_t mode = OPEN_MODE(flags);
    const char *below = watched(path);
    return below ? open_watched(path, below, flags, mode) : REAL(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    mode_t mode = OPEN_MODE(flags);
    const char *below = watched(path);
    return below ? open_watched(path, below, flags, mode) : REAL(open64)(path, flags, mode);
}

int openat(int place, const char *path, int flags, ...) {
    mode_t mode = OPEN_MODE(flags);
    const char *below = watched(path);
    return below ? open_watched(path, below, flags, mode) : REAL(openat)(place, path, flags, mode);
}

int mkstemp(char *template) {
    if (!watched(template)) return REAL(mkstemp)(template);
    pthread_mutex_lock(&mutex);
    bool half;
    int error = count(FileCallOpen, watched(template), true, &half);
    int number = -1;
    if (!error) {
        number = REAL(mkstemp)(template);
        error = errno;
        begin(number, watched(template), O_RDWR, false);
    }
    pthread_mutex_unlock(&mutex);
    errno = error;
    return number;
}

int close(int number) {
    if (!descriptor(number)) return REAL(close)(number);
    pthread_mutex_lock(&mutex);
    forget(number);
    int result = REAL(close)(number);
    pthread_mutex_unlock(&mutex);
    return result;
}

// MARK: Bytes

static ssize_t write_at(Descriptor *file, int number, const void *bytes, size_t size, off_t place, bool moves) {
    struct stat64 status;
    bool grows = REAL(fstat64)(number, &status) != 0 || (file->appends ? status.st_size : place) + size > status.st_size;
    if (file->appends) place = status.st_size;
    pthread_mutex_lock(&mutex);
    bool half;
    int error = count(FileCallWrite, file->path, grows, &half);
    if (half) size = size > 1 ? size / 2 : size;
    ssize_t written = -1;
    if (!error || half) {
        written = REAL(pwrite64)(number, bytes, size, place);
        if (written < 0) error = errno;
    }
    if (written > 0) {
        note((FileCall){.kind = FileCallWrite, .handle = file->handle, .path = file->path, .offset = place,
                        .length = (uint64_t)written, .succeeded = true}, bytes, (size_t)written);
        if (moves) REAL(lseek64)(number, place + written, SEEK_SET);
    }
    if (half && fault == FileFaultKill) kill_program();
    pthread_mutex_unlock(&mutex);
    errno = error;
    return written;
}

ssize_t write(int number, const void *bytes, size_t size) {
    Descriptor *file = descriptor(number);
    if (!file) return REAL(write)(number, bytes, size);
    return write_at(file, number, bytes, size, REAL(lseek64)(number, 0, SEEK_CUR), true);
}

ssize_t pwrite(int number, const void *bytes, size_t size, off_t place) {
    Descriptor *file = descriptor(number);
    return file ? write_at(file, number, bytes, size, place, false) : REAL(pwrite)(number, bytes, size, place);
}

ssize_t pwrite64(int number, const void *bytes, size_t size, off64_t place) {
    Descriptor *file = descriptor(number);
    return file ? write_at(file, number, bytes, size, place, false) : REAL(pwrite64)(number, bytes, size, place);
}

#define READ(name, ...) ({ \
    pthread_mutex_lock(&mutex); \
    bool half; \
    int error = count(FileCallRead, file->path, false, &half); \
    if (half && size > 1) size /= 2; \
    ssize_t outcome = -1; \
    if (!error) { outcome = REAL(name)(__VA_ARGS__); error = errno; } \
    pthread_mutex_unlock(&mutex); \
    errno = error; \
    outcome; \
})

ssize_t read(int number, void *bytes, size_t size) {
    Descriptor *file = descriptor(number);
    return file ? READ(read, number, bytes, size) : REAL(read)(number, bytes, size);
}

ssize_t pread(int number, void *bytes, size_t size, off_t place) {
    Descriptor *file = descriptor(number);
    return file ? READ(pread, number, bytes, size, place) : REAL(pread)(number, bytes, size, place);
}

ssize_t pread64(int number, void *bytes, size_t size, off64_t place) {
    Descriptor *file = descriptor(number);
    return file ? READ(pread64, number, bytes, size, place) : REAL(pread64)(number, bytes, size, place);
}

// Bytes that the system copies would not be seen: they are read and written.
ssize_t sendfile(int to, int from, off_t *place, size_t size) {
    if (!descriptor(to)) return REAL(sendfile)(to, from, place, size);
    char bytes[65536];
    if (size > sizeof bytes) size = sizeof bytes;
    ssize_t got = place ? pread(from, bytes, size, *place) : read(from, bytes, size);
    if (got <= 0) return got;
    ssize_t put = write(to, bytes, (size_t)got);
    if (place && put > 0) *place += put;
    if (!place && put >= 0 && put < got) REAL(lseek64)(from, put - got, SEEK_CUR);
    return put;
}

// MARK: Other calls on a descriptor

static int on_file(FileCallKind kind, int number, int64_t length, int (*call)(int, int64_t), bool grows) {
    Descriptor *file = descriptor(number);
    pthread_mutex_lock(&mutex);
    bool half;
    int error = count(kind, file->path, grows, &half);
    int outcome = -1;
    if (!error) {
        outcome = call(number, length);
        error = errno;
    }
    note((FileCall){.kind = kind, .handle = file->handle, .path = file->path, .length = (uint64_t)length,
                    .succeeded = outcome == 0}, NULL, 0);
    pthread_mutex_unlock(&mutex);
    errno = error;
    return outcome;
}

static int really_fsync(int number, int64_t length) { return REAL(fsync)(number); }
static int really_fdatasync(int number, int64_t length) { return REAL(fdatasync)(number); }
static int really_ftruncate(int number, int64_t length) { return REAL(ftruncate64)(number, length); }
static int really_fchmod(int number, int64_t mode) { return REAL(fchmod)(number, (mode_t)mode); }
static int really_flock(int number, int64_t how) { return REAL(flock)(number, (int)how); }

int fsync(int number) {
    return descriptor(number) ? on_file(FileCallSync, number, 0, really_fsync, false) : REAL(fsync)(number);
}

int fdatasync(int number) {
    return descriptor(number) ? on_file(FileCallSync, number, 0, really_fdatasync, false) : REAL(fdatasync)(number);
}

int ftruncate64(int number, off64_t length) {
    if (!descriptor(number)) return REAL(ftruncate64)(number, length);
    struct stat64 status;
    bool grows = REAL(fstat64)(number, &status) == 0 && status.st_size < length;
    return on_file(FileCallTruncate, number, length, really_ftruncate, grows);
}

int ftruncate(int number, off_t length) { return ftruncate64(number, length); }

int fchmod(int number, mode_t mode) {
    return descriptor(number) ? on_file(FileCallAttributes, number, mode, really_fchmod, false)
                              : REAL(fchmod)(number, mode);
}

int flock(int number, int how) {
    if (!descriptor(number)) return REAL(flock)(number, how);
    // A lock that is waited for must not keep the thread that has it from unlocking.
    pthread_mutex_lock(&mutex);
    bool half;
    int error = count(FileCallLock, descriptor(number)->path, false, &half);
    pthread_mutex_unlock(&mutex);
    if (!error) return really_flock(number, how);
    errno = error;
    return -1;
}

static int lock_or_ask(int number, int command, void *argument) {
    Descriptor *file = descriptor(number);
    if (!file || (command != F_SETLK && command != F_SETLKW && command != F_GETLK))
        return REAL(fcntl64)(number, command, argument);
    pthread_mutex_lock(&mutex);
    bool half;
    // A lock that is given back, or weakened, is already there: the system does not refuse that.
    bool weakens = command != F_GETLK && ((struct flock *)argument)->l_type != F_WRLCK;
    int error = weakens && fault != FileFaultKill ? 0 : count(FileCallLock, file->path, false, &half);
    int outcome = -1;
    if (!error) {
        outcome = REAL(fcntl64)(number, command, argument);
        error = errno;
    }
    pthread_mutex_unlock(&mutex);
    errno = error;
    return outcome;
}

#define ARGUMENT(command) ({ \
    va_list list; \
    va_start(list, command); \
    void *argument = va_arg(list, void *); \
    va_end(list); \
    argument; \
})

int fcntl(int number, int command, ...) { return lock_or_ask(number, command, ARGUMENT(command)); }
int fcntl64(int number, int command, ...) { return lock_or_ask(number, command, ARGUMENT(command)); }

void *mmap64(void *address, size_t size, int protection, int flags, int number, off64_t place) {
    Descriptor *file = flags & MAP_ANONYMOUS ? NULL : descriptor(number);
    if (!file) return REAL(mmap64)(address, size, protection, flags, number, place);
    return ON_PATH(FileCallMap, mmap64, file->path, false, MAP_FAILED, address, size, protection, flags, number, place);
}

void *mmap(void *address, size_t size, int protection, int flags, int number, off_t place) {
    return mmap64(address, size, protection, flags, number, place);
}

#define ON_STATUS(name) \
    Descriptor *file = descriptor(number); \
    return file ? ON_PATH(FileCallLook, name, file->path, false, -1, number, status) : REAL(name)(number, status)

int fstat(int number, struct stat *status) { ON_STATUS(fstat); }
int fstat64(int number, struct stat64 *status) { ON_STATUS(fstat64); }

// MARK: Calls on paths

#define ON_PATH_IF_WATCHED(kind, name, grows, ...) \
    const char *below = watched(path); \
    return below ? ON_PATH(kind, name, below, grows, -1, __VA_ARGS__) : REAL(name)(__VA_ARGS__)

int unlink(const char *path) { ON_PATH_IF_WATCHED(FileCallDelete, unlink, false, path); }
int rmdir(const char *path) { ON_PATH_IF_WATCHED(FileCallRemoveFolder, rmdir, false, path); }
int mkdir(const char *path, mode_t mode) { ON_PATH_IF_WATCHED(FileCallMakeFolder, mkdir, true, path, mode); }
int access(const char *path, int how) { ON_PATH_IF_WATCHED(FileCallLook, access, false, path, how); }
int stat(const char *path, struct stat *status) { ON_PATH_IF_WATCHED(FileCallLook, stat, false, path, status); }
int stat64(const char *path, struct stat64 *status) { ON_PATH_IF_WATCHED(FileCallLook, stat64, false, path, status); }
int lstat(const char *path, struct stat *status) { ON_PATH_IF_WATCHED(FileCallLook, lstat, false, path, status); }
int lstat64(const char *path, struct stat64 *status) { ON_PATH_IF_WATCHED(FileCallLook, lstat64, false, path, status); }
int chmod(const char *path, mode_t mode) { ON_PATH_IF_WATCHED(FileCallAttributes, chmod, false, path, mode); }

// A full disk says that it is.
int statvfs(const char *path, struct statvfs *status) {
    int outcome = REAL(statvfs)(path, status);
    if (watched(path) && is_armed && fault == FileFaultFull && has_come) status->f_bavail = 0;
    return outcome;
}

ssize_t readlink(const char *path, char *bytes, size_t size) {
    ON_PATH_IF_WATCHED(FileCallLook, readlink, false, path, bytes, size);
}

DIR *opendir(const char *path) {
    const char *below = watched(path);
    return below ? ON_PATH(FileCallList, opendir, below, false, (DIR *)NULL, path) : REAL(opendir)(path);
}

static int on_two(FileCallKind kind, const char *path, const char *other, int (*call)(const char *, const char *)) {
    const char *below = watched(path), *below_other = watched(other);
    if (!below && !below_other) return call(path, other);
    pthread_mutex_lock(&mutex);
    bool half;
    int error = count(kind, below ? below : below_other, false, &half);
    int outcome = -1;
    if (!error) {
        outcome = call(path, other);
        error = errno;
    }
    note((FileCall){.kind = kind, .path = below, .otherPath = below_other, .succeeded = outcome == 0}, NULL, 0);
    pthread_mutex_unlock(&mutex);
    errno = error;
    return outcome;
}

static int really_rename(const char *path, const char *other) { return REAL(rename)(path, other); }
static int really_link(const char *path, const char *other) { return REAL(link)(path, other); }

int rename(const char *path, const char *other) { return on_two(FileCallRename, path, other, really_rename); }
int link(const char *path, const char *other) { return on_two(FileCallLink, path, other, really_link); }

int renameat(int place, const char *path, int other_place, const char *other) {
    if (!watched(path) && !watched(other)) return REAL(renameat)(place, path, other_place, other);
    return rename(path, other);
}
