// Rows as structures, their strings copied.
#ifndef ROWS_H
#define ROWS_H
#include "database.h"
#include <stddef.h>

typedef struct {
    int64_t pk, opt, age, team;
    double birthdate, salary;
    char *email, *first, *last;
} player;
typedef struct { player *items; size_t count, room; } players;

/// Steps a statement of COLUMNS to its end, and resets it.
void append_rows(sqlite3 *db, sqlite3_stmt *s, players *a);
void clear_rows(players *a);        // keeps the room
void free_rows(players *a);

/// Every attribute is read. Integers, so that the order of the additions does not matter.
int64_t sum_player(const player *p);

typedef struct { int64_t *items; size_t count, room; } keys;

/// Steps a statement to its end for the first column of each row, and finalizes it.
keys read_keys(sqlite3 *db, sqlite3_stmt *s);

#endif
