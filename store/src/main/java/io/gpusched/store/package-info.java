/// The journal on SQLite and PostgreSQL, and what is kept beside it: snapshots, tables people can
/// read, history.
///
/// Read [io.gpusched.store.SqlJournal] first. The journal is the truth; everything else here can be
/// thrown away and is made again from it. No rule of scheduling lives here, and nothing that
/// scheduling reads.
///
///     Batch 42 ──▶ update the head if it is 41 and the term is ours, insert row 42 ──▶ durable
@NullMarked
package io.gpusched.store;

import org.jspecify.annotations.NullMarked;
