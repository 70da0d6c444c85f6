/// Converts facts and events to bytes and back. Only this package knows both the records of the
/// core and the messages of `model.proto` and `journal.proto`.
///
/// Read [io.gpusched.wire.codec.BatchCodec] first. One small class per family of records does the
/// rest, in switches without a default: a new kind of event does not compile until it can be
/// encoded. Nothing here may know files, sockets or scheduling rules.
///
///     Batch 42 ──▶ bytes in the journal ──▶ an equal Batch 42, with equal parts interned
@NullMarked
package io.gpusched.wire.codec;

import org.jspecify.annotations.NullMarked;
