#include "rows.h"
#include "workloads.h"
#include <stdlib.h>

// ---- insert

bench_result run_insert(const char *base, const char *work) {
    (void)base;
    bench_result r = {.n = bench_player_count()};
    bench_player *input = make_players(r.n);
    sqlite3 *db = new_database(work);
    sqlite3_stmt *s = prepare_insert(db);
    bench_start();
    run(db, "BEGIN IMMEDIATE");
    for (int64_t i = 0; i < r.n; i++) insert_player(db, s, &input[i]);
    run(db, "COMMIT");
    bench_stop(&r);
    sqlite3_finalize(s);
    sqlite3_close(db);
    free(input);
    r.check = bench_check_inserted(work);
    return r;
}

// The tables that Apple's framework records changes in, with their indexes, and what records one insertion.
typedef struct {
    sqlite3_stmt *transaction, *change, *key;
} history;

static history make_history(sqlite3 *db) {
    run(db, "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);"
            "INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 0), (16002, 'TRANSACTION', 0, 0);"
            "CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, "
            "ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB);"
            "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID);"
            "CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, "
            "ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, "
            "ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB);"
            "CREATE INDEX ATRANSACTION_ZAUTHORTS_INDEX ON ATRANSACTION (ZAUTHORTS);"
            "CREATE INDEX ATRANSACTION_ZBUNDLEIDTS_INDEX ON ATRANSACTION (ZBUNDLEIDTS);"
            "CREATE INDEX ATRANSACTION_ZCONTEXTNAMETS_INDEX ON ATRANSACTION (ZCONTEXTNAMETS);"
            "CREATE INDEX ATRANSACTION_ZPROCESSIDTS_INDEX ON ATRANSACTION (ZPROCESSIDTS);"
            "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC);"
            "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC)");
    return (history) {
        .transaction = prepare(db, "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, ZBUNDLEIDTS, ZPROCESSIDTS) "
                                   "VALUES (?, 16002, ?, 1, 2)"),
        .change = prepare(db, "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) "
                              "VALUES (?1, 16001, 0, 1, ?2, ?1)"),
        .key = prepare(db, "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?"),
    };
}

static void record(sqlite3 *db, history *h, int64_t number, int64_t player) {
    sqlite3_bind_int64(h->transaction, 1, number);
    sqlite3_bind_double(h->transaction, 2, (double)number);
    done(db, h->transaction);
    sqlite3_bind_int64(h->change, 1, number);
    sqlite3_bind_int64(h->change, 2, player);
    done(db, h->change);
    sqlite3_bind_int64(h->key, 1, number);
    for (int entity = 16001; entity <= 16002; entity++) {
        sqlite3_bind_int(h->key, 2, entity);
        done(db, h->key);
    }
}

static void end_history(history *h) {
    sqlite3_finalize(h->transaction);
    sqlite3_finalize(h->change);
    sqlite3_finalize(h->key);
}

static bench_result insert_small_saves(const char *work, int records) {
    bench_result r = {.n = BENCH_SMALL_SAVES};
    bench_player *input = make_players(r.n);
    sqlite3 *db = new_database(work);
    sqlite3_stmt *s = prepare_insert(db), *begin = prepare(db, "BEGIN IMMEDIATE"), *commit = prepare(db, "COMMIT");
    history h = {0};
    if (records) h = make_history(db);
    bench_start();
    for (int64_t i = 0; i < r.n; i++) {
        done(db, begin);
        insert_player(db, s, &input[i]);
        if (records) record(db, &h, i + 1, input[i].pk);
        done(db, commit);
    }
    bench_stop(&r);
    end_history(&h);
    sqlite3_finalize(s);
    sqlite3_finalize(begin);
    sqlite3_finalize(commit);
    sqlite3_close(db);
    free(input);
    r.check = bench_check_inserted(work);
    return r;
}

bench_result run_insert_small_saves(const char *base, const char *work) {
    (void)base;
    return insert_small_saves(work, 0);
}

bench_result run_insert_small_saves_history(const char *base, const char *work) {
    (void)base;
    return insert_small_saves(work, 1);
}

// ---- update, delete

bench_result run_update(const char *base, const char *work) {
    bench_result r = {0};
    bench_copy_file(base, work);
    sqlite3 *db = open_database(work);
    players a = {0};
    sqlite3_stmt *s = prepare(db, "SELECT " COLUMNS " FROM ZPLAYER");
    append_rows(db, s, &a);
    sqlite3_finalize(s);
    s = prepare(db, "UPDATE ZPLAYER SET Z_OPT = ?, ZSALARY = ? WHERE Z_PK = ?");
    r.n = (int64_t)a.count;
    bench_start();
    run(db, "BEGIN IMMEDIATE");
    for (size_t i = 0; i < a.count; i++) {
        player *p = &a.items[i];
        p->opt += 1;
        p->salary += 1000;
        sqlite3_bind_int64(s, 1, p->opt);
        sqlite3_bind_double(s, 2, p->salary);
        sqlite3_bind_int64(s, 3, p->pk);
        done(db, s);
    }
    run(db, "COMMIT");
    bench_stop(&r);
    sqlite3_finalize(s);
    free_rows(&a);
    sqlite3_close(db);
    r.check = bench_check_updated(work);
    return r;
}

bench_result run_delete(const char *base, const char *work) {
    bench_result r = {0};
    bench_copy_file(base, work);
    sqlite3 *db = open_database(work);
    keys k = read_keys(db, prepare(db, "SELECT Z_PK FROM ZPLAYER ORDER BY Z_PK"));
    sqlite3_stmt *s = prepare(db, "DELETE FROM ZPLAYER WHERE Z_PK = ?");
    r.n = (int64_t)k.count;
    bench_start();
    run(db, "BEGIN IMMEDIATE");
    for (size_t i = 0; i < k.count; i++) {
        sqlite3_bind_int64(s, 1, k.items[i]);
        done(db, s);
    }
    run(db, "COMMIT");
    bench_stop(&r);
    sqlite3_finalize(s);
    free(k.items);
    sqlite3_close(db);
    r.check = bench_check_deleted(work);
    return r;
}

// ---- batches: one statement for all rows

static bench_result run_statement(const char *base, const char *work, const char *sql) {
    bench_result r = {.n = bench_player_count()};
    bench_copy_file(base, work);
    sqlite3 *db = open_database(work);
    bench_start();
    run(db, "BEGIN IMMEDIATE");
    run(db, sql);
    run(db, "COMMIT");
    bench_stop(&r);
    sqlite3_close(db);
    return r;
}

bench_result run_batch_update(const char *base, const char *work) {
    bench_result r = run_statement(
        base, work, "UPDATE ZPLAYER SET Z_OPT = Z_OPT + 1, ZSALARY = ZSALARY + 1000 WHERE ZAGE > 0");
    r.check = bench_check_updated(work);
    return r;
}

bench_result run_batch_delete(const char *base, const char *work) {
    bench_result r = run_statement(base, work, "DELETE FROM ZPLAYER WHERE ZAGE > 0");
    r.check = bench_check_deleted(work);
    return r;
}
