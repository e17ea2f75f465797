#define _GNU_SOURCE
#include "bench.h"
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void bench_remove_db(const char *path) {
    char p[4096];
    const char *suffix[] = {"", "-wal", "-shm", "-journal"};
    for (int i = 0; i < 4; i++) { snprintf(p, sizeof p, "%s%s", path, suffix[i]); unlink(p); }
}

void bench_copy_file(const char *from, const char *to) {
    bench_remove_db(to);
    FILE *a = fopen(from, "rb"), *b = fopen(to, "wb");
    if (!a || !b) { perror("copy"); exit(1); }
    static char buf[1 << 16];
    size_t k;
    while ((k = fread(buf, 1, sizeof buf, a)) > 0) if (fwrite(buf, 1, k, b) != k) { perror("copy"); exit(1); }
    fclose(a);
    fflush(b);
    fsync(fileno(b));   // the timed part does not pay for flushing the copy
    fclose(b);
}

static int64_t query(const char *path, const char *sql) {
    sqlite3 *db;
    sqlite3_stmt *s;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, 0) != SQLITE_OK ||
        sqlite3_prepare_v2(db, sql, -1, &s, 0) != SQLITE_OK || sqlite3_step(s) != SQLITE_ROW) {
        fprintf(stderr, "%s: %s\n", path, sqlite3_errmsg(db));
        exit(1);
    }
    int64_t value = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    sqlite3_close(db);
    return value;
}

int64_t bench_check_inserted(const char *path) {
    // An address names the team's number, and a team's name ends with it.
    return query(path,
        "SELECT COUNT(*) + SUM(ZAGE) + SUM(LENGTH(ZEMAIL)) + SUM(LENGTH(ZFIRSTNAME)) + SUM(LENGTH(ZLASTNAME))"
        " + CAST(SUM(ZSALARY) AS INTEGER) + SUM(INSTR(ZEMAIL, '.t' || SUBSTR(ZNAME, INSTR(ZNAME, ' ') + 1) || '@') > 0)"
        " FROM ZPLAYER LEFT JOIN ZTEAM ON ZTEAM.Z_PK = ZPLAYER.ZTEAM");
}
int64_t bench_check_updated(const char *path) {
    return query(path, "SELECT CAST(SUM(ZSALARY) AS INTEGER) + SUM(Z_OPT) FROM ZPLAYER");
}
int64_t bench_check_deleted(const char *path) {
    return query(path, "SELECT (SELECT COUNT(*) FROM ZPLAYER) * 1000000 + (SELECT COUNT(*) FROM ZTEAM)");
}
int64_t bench_check_migrated(const char *path) {
    return query(path, "SELECT COUNT(*) + SUM(ZAGE) + CAST(SUM(ZSALARY) AS INTEGER) FROM ZPLAYER");
}
