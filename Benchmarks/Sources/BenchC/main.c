// What raw SQLite does for the workloads, in C: prepared statements, one connection, rows into structs.
//   bench-c prepare <base.sqlite>
//   bench-c <impl> <workload> <base.sqlite> <work.sqlite> <repeat>
// impl: c       rows become structs with strdup'ed strings
//       c-scan  (fetch-all) rows are read, nothing is kept: what sqlite3_step + sqlite3_column_* cost
#include "bench.h"
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N BENCH_PLAYERS
#define TEAMS BENCH_TEAMS
#define COLS "Z_PK, Z_OPT, ZAGE, ZTEAM, ZBIRTHDATE, ZSALARY, ZEMAIL, ZFIRSTNAME, ZLASTNAME"

static void die(sqlite3 *db, const char *what) {
    fprintf(stderr, "%s: %s\n", what, db ? sqlite3_errmsg(db) : "");
    exit(1);
}
static void run(sqlite3 *db, const char *sql) {
    if (sqlite3_exec(db, sql, 0, 0, 0) != SQLITE_OK) die(db, sql);
}
static sqlite3_stmt *prep(sqlite3 *db, const char *sql) {
    sqlite3_stmt *s;
    if (sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &s, 0) != SQLITE_OK) die(db, sql);
    return s;
}
static void done(sqlite3 *db, sqlite3_stmt *s) {
    if (sqlite3_step(s) != SQLITE_DONE) die(db, "step");
    sqlite3_reset(s);
}
static sqlite3 *open_db(const char *path) {
    sqlite3 *db;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, 0) != SQLITE_OK) die(db, path);
    run(db, "PRAGMA journal_mode=WAL");
    run(db, "PRAGMA synchronous=NORMAL");
    if (getenv("BENCH_PRAGMA")) run(db, getenv("BENCH_PRAGMA"));
    return db;
}
static void schema(sqlite3 *db) {
    run(db, "CREATE TABLE ZTEAM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR, ZUNIFORMCOLOR VARCHAR)");
    run(db, "CREATE TABLE ZPLAYER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAGE INTEGER, ZTEAM INTEGER, "
            "ZBIRTHDATE TIMESTAMP, ZSALARY FLOAT, ZEMAIL VARCHAR, ZFIRSTNAME VARCHAR, ZLASTNAME VARCHAR)");
    run(db, "CREATE INDEX ZPLAYER_ZTEAM_INDEX ON ZPLAYER (ZTEAM)");
}
static void insert_teams(sqlite3 *db) {
    bench_team t;
    sqlite3_stmt *s = prep(db, "INSERT INTO ZTEAM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZUNIFORMCOLOR) VALUES (?,?,?,?,?)");
    run(db, "BEGIN IMMEDIATE");
    for (int64_t i = 1; i <= TEAMS; i++) {
        bench_make_team(i, &t);
        sqlite3_bind_int64(s, 1, t.pk);
        sqlite3_bind_int64(s, 2, t.ent);
        sqlite3_bind_int64(s, 3, t.opt);
        sqlite3_bind_text(s, 4, t.name, -1, SQLITE_STATIC);
        sqlite3_bind_text(s, 5, t.color, -1, SQLITE_STATIC);
        done(db, s);
    }
    run(db, "COMMIT");
    sqlite3_finalize(s);
}
static const char *const insert_sql =
    "INSERT INTO ZPLAYER (Z_PK, Z_ENT, Z_OPT, ZAGE, ZTEAM, ZBIRTHDATE, ZSALARY, ZEMAIL, ZFIRSTNAME, ZLASTNAME) VALUES (?,?,?,?,?,?,?,?,?,?)";
static void insert_player(sqlite3 *db, sqlite3_stmt *s, const bench_player *p) {
    sqlite3_bind_int64(s, 1, p->pk);
    sqlite3_bind_int64(s, 2, p->ent);
    sqlite3_bind_int64(s, 3, p->opt);
    sqlite3_bind_int64(s, 4, p->age);
    sqlite3_bind_int64(s, 5, p->team);
    sqlite3_bind_double(s, 6, p->birthdate);
    sqlite3_bind_double(s, 7, p->salary);
    sqlite3_bind_text(s, 8, p->email, -1, SQLITE_STATIC);
    sqlite3_bind_text(s, 9, p->first, -1, SQLITE_STATIC);
    sqlite3_bind_text(s, 10, p->last, -1, SQLITE_STATIC);
    done(db, s);
}

// ---- objects

typedef struct {
    int64_t pk, opt, age, team;
    double birthdate, salary;
    char *email, *first, *last;
} player;
typedef struct { player *items; size_t count, room; } players;

static void read_player(sqlite3_stmt *s, player *p) {
    p->pk = sqlite3_column_int64(s, 0);
    p->opt = sqlite3_column_int64(s, 1);
    p->age = sqlite3_column_int64(s, 2);
    p->team = sqlite3_column_int64(s, 3);
    p->birthdate = sqlite3_column_double(s, 4);
    p->salary = sqlite3_column_double(s, 5);
    p->email = strdup((const char *)sqlite3_column_text(s, 6));
    p->first = strdup((const char *)sqlite3_column_text(s, 7));
    p->last = strdup((const char *)sqlite3_column_text(s, 8));
}
static void free_player(player *p) { free(p->email); free(p->first); free(p->last); }
static void append_rows(sqlite3 *db, sqlite3_stmt *s, players *a) {
    int rc;
    while ((rc = sqlite3_step(s)) == SQLITE_ROW) {
        if (a->count == a->room) {
            a->room = a->room ? a->room * 2 : 16;
            a->items = realloc(a->items, a->room * sizeof(player));
        }
        read_player(s, &a->items[a->count++]);
    }
    if (rc != SQLITE_DONE) die(db, "rows");
    sqlite3_reset(s);
}
static void clear(players *a) { for (size_t i = 0; i < a->count; i++) free_player(&a->items[i]); a->count = 0; }
static void drop(players *a) { clear(a); free(a->items); memset(a, 0, sizeof *a); }
// Every attribute is read. Integers, so that the order of the additions does not matter.
static int64_t sum_player(const player *p) {
    return p->age + (int64_t)p->birthdate + (int64_t)p->salary
         + (int64_t)strlen(p->email) + (int64_t)strlen(p->first) + (int64_t)strlen(p->last);
}
static int64_t sum_players(const players *a) {
    int64_t sum = 0;
    for (size_t i = 0; i < a->count; i++) sum += sum_player(&a->items[i]);
    return sum;
}

// ---- workloads; each returns its check sum, t is what it took

static double t0, c0, t1, c1;
static void start(void) { bench_reset_peak(); c0 = bench_cpu(); t0 = bench_now(); }
static void stop(void) { t1 = bench_now(); c1 = bench_cpu(); }

static bench_player *all_players(int64_t n) {
    bench_player *p = malloc((size_t)n * sizeof *p);
    for (int64_t i = 0; i < n; i++) bench_make_player(i + 1, &p[i]);
    return p;
}
static int64_t count_rows(sqlite3 *db, const char *sql) {
    sqlite3_stmt *s = prep(db, sql);
    sqlite3_step(s);
    int64_t v = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return v;
}

int main(int argc, char **argv) {
    if (argc == 3 && !strcmp(argv[1], "prepare")) {
        bench_remove_db(argv[2]);
        sqlite3 *db = open_db(argv[2]);
        schema(db);
        insert_teams(db);
        bench_player *p = all_players(N);
        sqlite3_stmt *s = prep(db, insert_sql);
        run(db, "BEGIN IMMEDIATE");
        for (int64_t i = 0; i < N; i++) insert_player(db, s, &p[i]);
        run(db, "COMMIT");
        sqlite3_finalize(s);
        run(db, "PRAGMA wal_checkpoint(TRUNCATE)");
        sqlite3_close(db);
        return 0;
    }
    if (argc != 6) { fprintf(stderr, "usage: bench-c <impl> <workload> <base> <work> <repeat>\n"); return 2; }
    const char *impl = argv[1], *w = argv[2], *base = argv[3], *work = argv[4];
    int repeat = atoi(argv[5]);
    int scan = !strcmp(impl, "c-scan"), autocommit = !strcmp(impl, "c-autocommit");
#define IS(name) (!strcmp(w, name))

    bench_player *input = 0;
    if (IS("insert")) input = all_players(N);
    if (IS("insert-small-saves")) input = all_players(2000);

    for (int r = 0; r <= repeat; r++) {      // run 0 is the warm-up
        int64_t n = 0, sum = 0;
        double free_seconds = 0;
        if (IS("insert") || IS("insert-small-saves")) {
            bench_remove_db(work);
            sqlite3 *db = open_db(work);
            schema(db);
            insert_teams(db);
            run(db, "PRAGMA wal_checkpoint(TRUNCATE)");
            sqlite3_stmt *s = prep(db, insert_sql), *begin = prep(db, "BEGIN IMMEDIATE"), *commit = prep(db, "COMMIT");
            if (IS("insert")) {
                n = N;
                start();
                done(db, begin);
                for (int64_t i = 0; i < n; i++) insert_player(db, s, &input[i]);
                done(db, commit);
                stop();
            } else {
                n = 2000;
                start();
                for (int64_t i = 0; i < n; i++) {
                    done(db, begin);
                    insert_player(db, s, &input[i]);
                    done(db, commit);
                }
                stop();
            }
            sqlite3_finalize(s);
            sqlite3_finalize(begin);
            sqlite3_finalize(commit);
            sum = count_rows(db, "SELECT COUNT(*) + SUM(ZAGE) + SUM(LENGTH(ZEMAIL)) FROM ZPLAYER");
            sqlite3_close(db);
        } else if (IS("update") || IS("delete")) {
            bench_copy_file(base, work);
            sqlite3 *db = open_db(work);
            n = N;
            if (IS("update")) {
                sqlite3_stmt *s = prep(db, "SELECT " COLS " FROM ZPLAYER");
                players a = {0};
                append_rows(db, s, &a);
                sqlite3_finalize(s);
                s = prep(db, "UPDATE ZPLAYER SET Z_OPT = ?, ZSALARY = ? WHERE Z_PK = ?");
                start();
                run(db, "BEGIN IMMEDIATE");
                for (size_t i = 0; i < a.count; i++) {
                    a.items[i].opt += 1;
                    a.items[i].salary += 1000;
                    sqlite3_bind_int64(s, 1, a.items[i].opt);
                    sqlite3_bind_double(s, 2, a.items[i].salary);
                    sqlite3_bind_int64(s, 3, a.items[i].pk);
                    done(db, s);
                }
                run(db, "COMMIT");
                stop();
                sqlite3_finalize(s);
                drop(&a);
                sum = count_rows(db, "SELECT CAST(SUM(ZSALARY) AS INTEGER) + SUM(Z_OPT) FROM ZPLAYER");
            } else {
                sqlite3_stmt *s = prep(db, "DELETE FROM ZPLAYER WHERE Z_PK = ?");
                start();
                run(db, "BEGIN IMMEDIATE");
                for (int64_t i = 1; i <= n; i++) {
                    sqlite3_bind_int64(s, 1, i);
                    done(db, s);
                }
                run(db, "COMMIT");
                stop();
                sqlite3_finalize(s);
                sum = count_rows(db, "SELECT COUNT(*) FROM ZPLAYER");
            }
            sqlite3_close(db);
        } else {
            sqlite3 *db = open_db(base);
            players a = {0};
            if (IS("fetch-all") || IS("fetch-all-one-attribute") || IS("fetch-predicate-sorted")) {
                start();
                if (!autocommit) run(db, "BEGIN");
                sqlite3_stmt *s = prep(db, IS("fetch-predicate-sorted")
                    ? "SELECT " COLS " FROM ZPLAYER WHERE ZAGE BETWEEN 20 AND 30 ORDER BY ZLASTNAME, ZFIRSTNAME"
                    : "SELECT " COLS " FROM ZPLAYER");
                if (scan) {
                    while (sqlite3_step(s) == SQLITE_ROW) {
                        n++;
                        sum += sqlite3_column_int64(s, 2) + (int64_t)sqlite3_column_double(s, 4) + (int64_t)sqlite3_column_double(s, 5);
                        for (int k = 6; k < 9; k++) {
                            (void)*(volatile const unsigned char *)sqlite3_column_text(s, k);
                            sum += sqlite3_column_bytes(s, k);
                        }
                    }
                } else {
                    append_rows(db, s, &a);
                    n = (int64_t)a.count;
                    if (IS("fetch-all-one-attribute")) for (size_t i = 0; i < a.count; i++) sum += a.items[i].age;
                    else sum = sum_players(&a);
                }
                sqlite3_finalize(s);
                if (!autocommit) run(db, "COMMIT");
                stop();
                double f = bench_now();
                drop(&a);
                free_seconds = bench_now() - f;
            } else if (IS("breakdown")) {       // c: sqlite3_step alone; c-scan: and the columns read
                start();
                sqlite3_stmt *s = prep(db, "SELECT " COLS " FROM ZPLAYER");
                volatile int64_t used = 0;
                while (sqlite3_step(s) == SQLITE_ROW) {
                    n++;
                    if (!scan) continue;
                    int64_t v = sqlite3_column_int64(s, 0) + sqlite3_column_int64(s, 1) + sqlite3_column_int64(s, 2) + sqlite3_column_int64(s, 3)
                              + (int64_t)sqlite3_column_double(s, 4) + (int64_t)sqlite3_column_double(s, 5);
                    for (int k = 6; k < 9; k++) {
                        (void)*(volatile const unsigned char *)sqlite3_column_text(s, k);
                        v += sqlite3_column_bytes(s, k);
                    }
                    used += v;
                }
                sqlite3_finalize(s);
                stop();
                sum = n;
            } else if (IS("fetch-by-id")) {
                n = 10000;
                start();
                if (!autocommit) run(db, "BEGIN");
                sqlite3_stmt *s = prep(db, "SELECT " COLS " FROM ZPLAYER WHERE Z_PK = ?");
                for (int64_t i = 0; i < n; i++) {
                    sqlite3_bind_int64(s, 1, 1 + (int64_t)(bench_random((uint64_t)i) % N));
                    append_rows(db, s, &a);
                    sum += sum_player(&a.items[0]);
                    clear(&a);
                }
                sqlite3_finalize(s);
                if (!autocommit) run(db, "COMMIT");
                stop();
                drop(&a);
            } else if (IS("to-many-traverse")) {
                n = TEAMS;
                double salaries = 0;
                start();
                if (!autocommit) run(db, "BEGIN");
                int64_t ids[TEAMS], k = 0;
                sqlite3_stmt *s = prep(db, "SELECT Z_PK, Z_OPT, ZNAME, ZUNIFORMCOLOR FROM ZTEAM");
                while (sqlite3_step(s) == SQLITE_ROW) ids[k++] = sqlite3_column_int64(s, 0);
                sqlite3_finalize(s);
                s = prep(db, "SELECT " COLS " FROM ZPLAYER WHERE ZTEAM = ?");
                for (int64_t t = 0; t < k; t++) {
                    sqlite3_bind_int64(s, 1, ids[t]);
                    append_rows(db, s, &a);
                    for (size_t i = 0; i < a.count; i++) salaries += a.items[i].salary;
                    clear(&a);
                }
                sqlite3_finalize(s);
                if (!autocommit) run(db, "COMMIT");
                stop();
                drop(&a);
                sum = (int64_t)salaries;
            } else if (IS("to-many-prefetch")) {
                n = TEAMS;
                double salaries = 0;
                start();
                run(db, "BEGIN");
                int64_t ids[TEAMS], k = 0;
                sqlite3_stmt *s = prep(db, "SELECT Z_PK, Z_OPT, ZNAME, ZUNIFORMCOLOR FROM ZTEAM");
                while (sqlite3_step(s) == SQLITE_ROW) ids[k++] = sqlite3_column_int64(s, 0);
                sqlite3_finalize(s);
                char *sql = malloc(32 * (size_t)k + 256), *q = sql;
                q += sprintf(q, "SELECT " COLS " FROM ZPLAYER WHERE ZTEAM IN (");
                for (int64_t t = 0; t < k; t++) q += sprintf(q, t ? ",?" : "?");
                sprintf(q, ")");
                s = prep(db, sql);
                for (int64_t t = 0; t < k; t++) sqlite3_bind_int64(s, (int)t + 1, ids[t]);
                append_rows(db, s, &a);
                sqlite3_finalize(s);
                free(sql);
                // each team gets the list of its players
                size_t *first = calloc(TEAMS + 2, sizeof *first), *place = malloc(a.count * sizeof *place);
                for (size_t i = 0; i < a.count; i++) first[a.items[i].team + 1]++;
                for (size_t t = 1; t < TEAMS + 2; t++) first[t] += first[t - 1];
                size_t *fill = malloc((TEAMS + 2) * sizeof *fill);
                memcpy(fill, first, (TEAMS + 2) * sizeof *fill);
                for (size_t i = 0; i < a.count; i++) place[fill[a.items[i].team]++] = i;
                for (int64_t t = 0; t < k; t++)
                    for (size_t i = first[ids[t]]; i < first[ids[t] + 1]; i++) salaries += a.items[place[i]].salary;
                free(first);
                free(fill);
                free(place);
                run(db, "COMMIT");
                stop();
                drop(&a);
                sum = (int64_t)salaries;
            } else if (IS("aggregate")) {
                start();
                sqlite3_stmt *s = prep(db, "SELECT ZTEAM, COUNT(*), AVG(ZSALARY) FROM ZPLAYER GROUP BY ZTEAM");
                while (sqlite3_step(s) == SQLITE_ROW) {
                    n++;
                    sum += sqlite3_column_int64(s, 0) + sqlite3_column_int64(s, 1) + (int64_t)sqlite3_column_double(s, 2);
                }
                sqlite3_finalize(s);
                stop();
            } else if (IS("page") || IS("page-ids")) {
                n = 1000;
                start();
                run(db, "BEGIN");
                int64_t *ids = 0;
                size_t count = 0, room = 0;
                sqlite3_stmt *s = prep(db, "SELECT Z_PK FROM ZPLAYER ORDER BY ZLASTNAME, Z_PK");
                while (sqlite3_step(s) == SQLITE_ROW) {
                    if (count == room) ids = realloc(ids, (room = room ? room * 2 : 64) * sizeof *ids);
                    ids[count++] = sqlite3_column_int64(s, 0);
                }
                sqlite3_finalize(s);
                if (IS("page")) {
                    s = prep(db, "SELECT " COLS " FROM ZPLAYER WHERE Z_PK IN (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
                    for (int64_t page = 0; page < n; page++) {
                        const int64_t *want = ids + page * 5 * 20;     // every fifth page
                        for (int i = 0; i < 20; i++) sqlite3_bind_int64(s, i + 1, want[i]);
                        append_rows(db, s, &a);
                        for (int i = 0; i < 20; i++)                   // in the order of the list
                            for (size_t j = 0; j < a.count; j++)
                                if (a.items[j].pk == want[i]) { sum += sum_player(&a.items[j]) * (i + 1); break; }
                        clear(&a);
                    }
                    sqlite3_finalize(s);
                } else {
                    n = (int64_t)count;
                    for (size_t i = 0; i < count; i++) sum += ids[i] * (int64_t)(i % 7 + 1);
                }
                free(ids);
                run(db, "COMMIT");
                stop();
                drop(&a);
            } else { fprintf(stderr, "unknown workload %s\n", w); return 2; }
            sqlite3_close(db);
        }
        if (r > 0)
            printf("{\"impl\":\"%s\",\"workload\":\"%s\",\"n\":%lld,\"seconds\":%.6f,\"peak_rss_mb\":%.1f,\"cpu_seconds\":%.6f,\"free_seconds\":%.6f,\"check\":%lld}\n",
                   impl, w, (long long)n, t1 - t0, bench_peak_rss_mb(), c1 - c0, free_seconds, (long long)sum);
    }
    if (input) free(input);
    bench_remove_db(work);
    return 0;
}
