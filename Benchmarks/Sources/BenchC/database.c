#include "database.h"
#include <stdio.h>
#include <stdlib.h>

void die(sqlite3 *db, const char *what) {
    fprintf(stderr, "%s: %s\n", what, db ? sqlite3_errmsg(db) : "");
    exit(1);
}
void run(sqlite3 *db, const char *sql) {
    if (sqlite3_exec(db, sql, 0, 0, 0) != SQLITE_OK) die(db, sql);
}
sqlite3_stmt *prepare(sqlite3 *db, const char *sql) {
    sqlite3_stmt *s;
    if (sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &s, 0) != SQLITE_OK) die(db, sql);
    return s;
}
void done(sqlite3 *db, sqlite3_stmt *s) {
    if (sqlite3_step(s) != SQLITE_DONE) die(db, "step");
    sqlite3_reset(s);
}

// SQLite's own defaults apart from the two pragmas. BENCH_PRAGMA is run too, for experiments.
sqlite3 *open_database(const char *path) {
    sqlite3 *db;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, 0) != SQLITE_OK) die(db, path);
    run(db, "PRAGMA journal_mode=WAL");
    run(db, "PRAGMA synchronous=NORMAL");
    if (getenv("BENCH_PRAGMA")) run(db, getenv("BENCH_PRAGMA"));
    return db;
}

static void make_tables(sqlite3 *db) {
    run(db, "CREATE TABLE ZTEAM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR, ZUNIFORMCOLOR VARCHAR)");
    run(db, "CREATE TABLE ZPLAYER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAGE INTEGER, ZTEAM INTEGER, "
            "ZBIRTHDATE TIMESTAMP, ZSALARY FLOAT, ZEMAIL VARCHAR, ZFIRSTNAME VARCHAR, ZLASTNAME VARCHAR)");
    run(db, "CREATE INDEX ZPLAYER_ZTEAM_INDEX ON ZPLAYER (ZTEAM)");
}
static void insert_teams(sqlite3 *db) {
    sqlite3_stmt *s = prepare(db, "INSERT INTO ZTEAM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZUNIFORMCOLOR) VALUES (?,?,?,?,?)");
    run(db, "BEGIN IMMEDIATE");
    for (int64_t i = 1; i <= bench_team_count(); i++) {
        bench_team t;
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
sqlite3 *new_database(const char *path) {
    bench_remove_db(path);
    sqlite3 *db = open_database(path);
    make_tables(db);
    insert_teams(db);
    run(db, "PRAGMA wal_checkpoint(TRUNCATE)");
    return db;
}
void make_base(const char *path) {
    sqlite3 *db = new_database(path);
    bench_player *players = make_players(bench_player_count());
    sqlite3_stmt *s = prepare_insert(db);
    run(db, "BEGIN IMMEDIATE");
    for (int64_t i = 0; i < bench_player_count(); i++) insert_player(db, s, &players[i]);
    run(db, "COMMIT");
    sqlite3_finalize(s);
    free(players);
    run(db, "PRAGMA wal_checkpoint(TRUNCATE)");
    sqlite3_close(db);
}

sqlite3_stmt *prepare_insert(sqlite3 *db) {
    return prepare(db, "INSERT INTO ZPLAYER (Z_PK, Z_ENT, Z_OPT, ZAGE, ZTEAM, ZBIRTHDATE, ZSALARY, ZEMAIL, ZFIRSTNAME, ZLASTNAME) "
                       "VALUES (?,?,?,?,?,?,?,?,?,?)");
}
void insert_player(sqlite3 *db, sqlite3_stmt *s, const bench_player *p) {
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
bench_player *make_players(int64_t n) {
    bench_player *players = malloc((size_t)n * sizeof *players);
    for (int64_t i = 0; i < n; i++) bench_make_player(i + 1, &players[i]);
    return players;
}
