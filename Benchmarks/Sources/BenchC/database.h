// What the workloads need of SQLite's interface, and the schema: the one that Core Data makes.
#ifndef DATABASE_H
#define DATABASE_H
#include "bench.h"
#include <sqlite3.h>

#define COLUMNS "Z_PK, Z_OPT, ZAGE, ZTEAM, ZBIRTHDATE, ZSALARY, ZEMAIL, ZFIRSTNAME, ZLASTNAME"

_Noreturn void die(sqlite3 *db, const char *what);
sqlite3 *open_database(const char *path);
void run(sqlite3 *db, const char *sql);
sqlite3_stmt *prepare(sqlite3 *db, const char *sql);
/// Steps a statement that returns nothing.
void done(sqlite3 *db, sqlite3_stmt *s);

/// A new file with its tables and teams.
sqlite3 *new_database(const char *path);
/// Makes the file that the reading workloads read.
void make_base(const char *path);

sqlite3_stmt *prepare_insert(sqlite3 *db);
void insert_player(sqlite3 *db, sqlite3_stmt *s, const bench_player *p);
bench_player *make_players(int64_t n);

#endif
