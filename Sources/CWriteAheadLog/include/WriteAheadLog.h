// Files for SQLite that write a transaction to the write-ahead log with few calls of the system.
//
// SQLite writes each page of a transaction to the log by two calls, and touches a dozen pages for a small save with
// history. These files collect the pages in memory and write them with the last page of the transaction, in pieces of
// 64 KB. So a small save takes one call. The first page after another connection's commit is written by itself.
//
// What is in the log, and when, is as without them for every other connection: the pages of a transaction count from
// its last page on. See WriteAheadLog.c for why.
#ifndef WRITE_AHEAD_LOG_H
#define WRITE_AHEAD_LOG_H

// Adds these files to those that SQLite has. To be called once.
//
// Returns their name, for sqlite3_open_v2. NULL, which stands for SQLite's own files there, where they can't be had:
// SQLite is older than 3.32, or an app has made other files the default.
const char *_Nullable coredata_register_write_ahead_files(void);

#endif
