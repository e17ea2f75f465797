#include "WriteAheadLog.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// The log begins with a header of 32 bytes. A frame for each page follows: a header of 24 bytes, and the page. The
// frame that ends a transaction has the size of the database in its header; all others have 0 there.
//
// Three rules keep the log as it would be without the buffer:
//
// 1. The buffer takes whole frames that are appended to the log. Everything else is written at once: the log's header,
//    a page that replaces an earlier one of its transaction, a checksum that is put right.
// 2. The frame that ends a transaction empties the buffer before SQLite hears that it is written. So SQLite shows no
//    other connection a frame that is not in the file.
// 3. What is in the buffer when SQLite gives the write lock back belongs to no transaction, and is forgotten. So no
//    frame comes to the file when another connection may write there. In exclusive mode the write lock is kept, and the
//    lock of the database's file stands for it.
//
// SQLite reads its own frames before a transaction ends when its cache is full: such a read empties the buffer.

// SQLite's own files write at most 128 KB at once.
enum { buffer_size = 65536, log_header_size = 32, frame_header_size = 24 };

struct LogFile;

// Stands before the file of the database, for its locks.
typedef struct {
    sqlite3_file base;
    struct LogFile *log;
} DatabaseFile;

// Stands before the file of the log. SQLite's own file follows each of the two in memory.
typedef struct LogFile {
    sqlite3_file base;
    DatabaseFile *database;
    // Whole frames, but for the last one, whose page may be missing still.
    uint8_t *buffer;
    int length;
    // Where the buffer's first byte belongs.
    sqlite3_int64 start;
    // Where the next frame of the transaction is expected; -1: unknown.
    sqlite3_int64 end;
    // The size of a page; 0: unknown.
    int page_size;
    // Whether the last thing that was written, or put into the buffer, is the header of a frame, and the size of the
    // database in it is not 0.
    bool is_in_frame, ends_transaction;
} LogFile;

// SQLite's own files, which follow.
static sqlite3_vfs *own;

static sqlite3_file *behind(sqlite3_file *file) {
    // A database's file is not larger than a log's: both have the same room.
    return (sqlite3_file *)((uint8_t *)file + sizeof(LogFile));
}
static LogFile *log_file(sqlite3_file *file) { return (LogFile *)file; }
static DatabaseFile *database_file(sqlite3_file *file) { return (DatabaseFile *)file; }

// MARK: The buffer

static void forget(LogFile *log) {
    log->length = 0;
    log->is_in_frame = false;
    log->end = -1;
}

// Writes what the buffer has. It keeps it where that fails: SQLite may go on with a transaction of which it could not
// read a page.
static int empty(LogFile *log) {
    if (log->length == 0) return SQLITE_OK;
    sqlite3_file *file = behind(&log->base);
    int code = file->pMethods->xWrite(file, log->buffer, log->length, log->start);
    if (code == SQLITE_OK) log->length = 0;
    return code;
}

// Writes at once, and learns from it what to expect.
static int pass(LogFile *log, const void *bytes, int count, sqlite3_int64 offset) {
    int code = empty(log);
    sqlite3_file *file = behind(&log->base);
    if (code == SQLITE_OK) code = file->pMethods->xWrite(file, bytes, count, offset);
    if (code != SQLITE_OK) {
        forget(log);
        return code;
    }
    if (log->is_in_frame && offset == log->end && count >= 512 && (count & (count - 1)) == 0) log->page_size = count;
    log->is_in_frame = count == frame_header_size;
    log->end = offset + count;
    return code;
}

static bool appends_header(const LogFile *log, int count, sqlite3_int64 offset) {
    return count == frame_header_size && offset == log->end && !log->is_in_frame && log->page_size != 0
        && (offset - log_header_size) % (log->page_size + frame_header_size) == 0;
}

static bool appends_page(const LogFile *log, int count, sqlite3_int64 offset) {
    return log->length > 0 && log->is_in_frame && offset == log->end && count == log->page_size;
}

static void append(LogFile *log, const void *bytes, int count, sqlite3_int64 offset) {
    if (log->length == 0) log->start = offset;
    memcpy(log->buffer + log->length, bytes, count);
    log->length += count;
    log->end = offset + count;
}

static void append_header(LogFile *log, const uint8_t *bytes, int count, sqlite3_int64 offset) {
    append(log, bytes, count, offset);
    log->is_in_frame = true;
    log->ends_transaction = (bytes[4] | bytes[5] | bytes[6] | bytes[7]) != 0;
}

static int append_page(LogFile *log, const void *bytes, int count, sqlite3_int64 offset) {
    append(log, bytes, count, offset);
    log->is_in_frame = false;
    int code = log->ends_transaction ? empty(log) : SQLITE_OK;
    // SQLite takes the transaction back, so its last frame must not come to the file later.
    if (code != SQLITE_OK) forget(log);
    return code;
}

static int log_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    LogFile *log = log_file(file);
    if (appends_page(log, count, offset)) return append_page(log, bytes, count, offset);
    if (!appends_header(log, count, offset)) return pass(log, bytes, count, offset);
    const int frame_size = frame_header_size + log->page_size;
    if (frame_size > buffer_size) return pass(log, bytes, count, offset);
    if (!log->buffer && !(log->buffer = sqlite3_malloc(buffer_size))) return pass(log, bytes, count, offset);
    if (log->length + frame_size > buffer_size) {
        int code = empty(log);
        if (code != SQLITE_OK) {
            forget(log);
            return code;
        }
    }
    append_header(log, bytes, count, offset);
    return SQLITE_OK;
}

// MARK: The log's other methods

static int log_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    LogFile *log = log_file(file);
    int code = offset + count > log->start ? empty(log) : SQLITE_OK;
    return code != SQLITE_OK ? code : behind(file)->pMethods->xRead(behind(file), bytes, count, offset);
}

static int log_close(sqlite3_file *file) {
    LogFile *log = log_file(file);
    if (log->database) log->database->log = NULL;
    sqlite3_free(log->buffer);
    return behind(file)->pMethods->xClose(behind(file));
}

// The method of SQLite's own file, after the buffer is empty.
#define AFTER_EMPTYING(name, parameters, call) \
    static int log_##name parameters { \
        int code = empty(log_file(file)); \
        return code != SQLITE_OK ? code : behind(file)->pMethods->call; \
    }
AFTER_EMPTYING(truncate, (sqlite3_file *file, sqlite3_int64 size), xTruncate(behind(file), size))
AFTER_EMPTYING(sync, (sqlite3_file *file, int flags), xSync(behind(file), flags))
AFTER_EMPTYING(size, (sqlite3_file *file, sqlite3_int64 *size), xFileSize(behind(file), size))
AFTER_EMPTYING(control, (sqlite3_file *file, int operation, void *argument),
    xFileControl(behind(file), operation, argument))

// MARK: Both files

// The method of SQLite's own file.
#define SAME(result, name, parameters, call) \
    static result same_##name parameters { return behind(file)->pMethods->call; }
SAME(int, close, (sqlite3_file *file), xClose(behind(file)))
SAME(int, read, (sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset),
    xRead(behind(file), bytes, count, offset))
SAME(int, write, (sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset),
    xWrite(behind(file), bytes, count, offset))
SAME(int, truncate, (sqlite3_file *file, sqlite3_int64 size), xTruncate(behind(file), size))
SAME(int, sync, (sqlite3_file *file, int flags), xSync(behind(file), flags))
SAME(int, size, (sqlite3_file *file, sqlite3_int64 *size), xFileSize(behind(file), size))
SAME(int, lock, (sqlite3_file *file, int level), xLock(behind(file), level))
SAME(int, unlock, (sqlite3_file *file, int level), xUnlock(behind(file), level))
SAME(int, check_reserved, (sqlite3_file *file, int *result), xCheckReservedLock(behind(file), result))
SAME(int, control, (sqlite3_file *file, int operation, void *argument),
    xFileControl(behind(file), operation, argument))
SAME(int, sector_size, (sqlite3_file *file), xSectorSize(behind(file)))
SAME(int, characteristics, (sqlite3_file *file), xDeviceCharacteristics(behind(file)))
SAME(int, map_index, (sqlite3_file *file, int piece, int size, int extends, void volatile **address),
    xShmMap(behind(file), piece, size, extends, address))
SAME(void, barrier, (sqlite3_file *file), xShmBarrier(behind(file)))
SAME(int, unmap_index, (sqlite3_file *file, int deletes), xShmUnmap(behind(file), deletes))
SAME(int, fetch, (sqlite3_file *file, sqlite3_int64 offset, int count, void **address),
    xFetch(behind(file), offset, count, address))
SAME(int, unfetch, (sqlite3_file *file, sqlite3_int64 offset, void *address), xUnfetch(behind(file), offset, address))

static void forget_unfinished(sqlite3_file *file) {
    LogFile *log = database_file(file)->log;
    if (log && log->length > 0) forget(log);
}

// The first lock of the log's index is the one for writing (SQLite's documentation, "WAL-Index Locks").
static int lock_index(sqlite3_file *file, int first, int count, int flags) {
    if (first == 0 && (flags & SQLITE_SHM_UNLOCK) && (flags & SQLITE_SHM_EXCLUSIVE)) forget_unfinished(file);
    return behind(file)->pMethods->xShmLock(behind(file), first, count, flags);
}

// With a log, SQLite gives this lock back only when no transaction is open.
static int unlock_database(sqlite3_file *file, int level) {
    forget_unfinished(file);
    return behind(file)->pMethods->xUnlock(behind(file), level);
}

#define DATABASE_METHODS(version) { \
    version, same_close, same_read, same_write, same_truncate, same_sync, same_size, same_lock, unlock_database, \
    same_check_reserved, same_control, same_sector_size, same_characteristics, same_map_index, lock_index, \
    same_barrier, same_unmap_index, same_fetch, same_unfetch, \
}
// By version: the first has no log, the last has files that are mapped.
static const sqlite3_io_methods database_methods[] = {
    DATABASE_METHODS(1), DATABASE_METHODS(2), DATABASE_METHODS(3),
};
static const sqlite3_io_methods log_methods = {
    1, log_close, log_read, log_write, log_truncate, log_sync, log_size, same_lock, same_unlock,
    same_check_reserved, log_control, same_sector_size, same_characteristics,
    NULL, NULL, NULL, NULL, NULL, NULL,
};

// MARK: Opening

#if SQLITE_VERSION_NUMBER >= 3032000

static int open_database(const char *name, sqlite3_file *file, int flags, int *result) {
    int code = own->xOpen(own, name, behind(file), flags, result);
    const sqlite3_io_methods *methods = behind(file)->pMethods;
    if (!methods) return code;
    database_file(file)->log = NULL;
    int version = !methods->xShmMap ? 1 : methods->iVersion < 3 ? methods->iVersion : 3;
    file->pMethods = &database_methods[version - 1];
    return code;
}

static DatabaseFile *database_of_log(const char *name) {
    sqlite3_file *file = sqlite3_database_file_object(name);
    bool is_ours = file->pMethods == &database_methods[1] || file->pMethods == &database_methods[2];
    return is_ours ? database_file(file) : NULL;
}

static int open_log(const char *name, sqlite3_file *file, int flags, int *result) {
    DatabaseFile *database = database_of_log(name);
    // Another one's files stand before ours: without the database's locks nothing can be collected.
    if (!database) return own->xOpen(own, name, file, flags, result);
    int code = own->xOpen(own, name, behind(file), flags, result);
    if (!behind(file)->pMethods) return code;
    LogFile *log = log_file(file);
    memset(log, 0, sizeof *log);
    forget(log);
    log->base.pMethods = &log_methods;
    log->database = database;
    database->log = log;
    return code;
}

static int open_file(sqlite3_vfs *files, const char *name, sqlite3_file *file, int flags, int *result) {
    (void)files;
    if (!(flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL))) return own->xOpen(own, name, file, flags, result);
    // SQLite closes a file that has methods, even where it could not be opened.
    file->pMethods = behind(file)->pMethods = NULL;
    return (flags & SQLITE_OPEN_WAL ? open_log : open_database)(name, file, flags, result);
}

static sqlite3_vfs collecting;

const char *coredata_register_write_ahead_files(void) {
    own = sqlite3_vfs_find(NULL);
    // Files of an app, which may encrypt what is written, are left alone.
    if (!own || (strcmp(own->zName, "unix") != 0 && strcmp(own->zName, "win32") != 0)) return NULL;
    collecting = *own;
    collecting.zName = "coredata-write-ahead";
    collecting.pNext = NULL;
    collecting.szOsFile = own->szOsFile + (int)sizeof(LogFile);
    collecting.xOpen = open_file;
    return sqlite3_vfs_register(&collecting, 0) == SQLITE_OK ? collecting.zName : NULL;
}

#else

const char *coredata_register_write_ahead_files(void) { return NULL; }

#endif
