#include <sqlite3.h>
#include <stdint.h>

// The header of the index of a write-ahead log, as SQLite documents it ("WAL-index format"): 48 bytes in memory that
// all connections to a file share, in this process and in others. Every commit changes them.
typedef struct {
    uint64_t words[6];
} coredata_log_state;

// Where the header is; NULL for a connection without one, as there is none before its first read. SQLite has the index
// mapped as long as the connection is open.
static inline const void *_Nullable coredata_log_index(sqlite3 *_Nonnull database) {
    sqlite3_file *file = 0;
    void volatile *index = 0;
    if (sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return 0;
    if (!file || !file->pMethods || file->pMethods->iVersion < 2 || !file->pMethods->xShmMap) return 0;
    // The first of its pieces, all of which have this size; it is not made where it is not there.
    if (file->pMethods->xShmMap(file, 0, 32768, 0, &index) != SQLITE_OK) return 0;
    return (const void *)index;
}

// What the header is now. Whatever is read afterwards is at least as new.
static inline coredata_log_state coredata_log_read(const void *_Nonnull index) {
    coredata_log_state state;
    const uint64_t *words = (const uint64_t *)index;
    for (int i = 0; i < 6; i++) state.words[i] = __atomic_load_n(&words[i], __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return state;
}

// Whether the header still is what it was.
static inline int coredata_log_is(const void *_Nonnull index, const coredata_log_state *_Nonnull state) {
    const uint64_t *words = (const uint64_t *)index;
    for (int i = 0; i < 6; i++)
        if (__atomic_load_n(&words[i], __ATOMIC_RELAXED) != state->words[i]) return 0;
    return 1;
}

// Forces what was committed to the disk, as far as it is in the journal or log. The database itself is, after a commit
// without a log.
static inline int coredata_sqlite3_synchronize_journal(sqlite3 *_Nonnull database) {
    sqlite3_file *file = 0;
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
    if (code != SQLITE_OK || !file || !file->pMethods) return code;
    return file->pMethods->xSync(file, SQLITE_SYNC_NORMAL);
}

// How often transactions without a log have changed the database, as its header says. It is read without locks, so also
// beside a connection that keeps all others out. -1 where it can't be read.
static inline int64_t coredata_change_counter(sqlite3 *_Nonnull database) {
    sqlite3_file *file = 0;
    uint8_t bytes[4] = {0};
    if (sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return -1;
    if (!file || !file->pMethods || file->pMethods->xRead(file, bytes, 4, 24) != SQLITE_OK) return -1;
    return (int64_t)bytes[0] << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3];
}

// Has SQLite keep no account of the memory that it uses. To be called before the library is used; later it does
// nothing. Swift can't call a C function of variable arguments.
static inline int coredata_sqlite3_disable_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
