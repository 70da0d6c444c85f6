/// The journal on SQLite and PostgreSQL, and data derived from it: snapshots, tables for SQL
/// queries, job history.
///
/// Read [io.gpusched.store.SqlJournal] first. The journal is the source of truth; everything else
/// here can be deleted and is rebuilt from it. Scheduling rules must not be here, nor data that
/// scheduling reads.
///
///     Batch 42 ──▶ update the head if it is 41 and the term is ours, insert row 42 ──▶ durable
@NullMarked
package io.gpusched.store;

import org.jspecify.annotations.NullMarked;
