/// Facts and events to bytes and back: the only place that knows both the records of the core and
/// the messages of `model.proto` and `journal.proto`.
///
/// Read [io.gpusched.wire.codec.BatchCodec] first; one small class per family of records does the
/// rest, each in switches without a default, so that a new kind of event does not compile until it
/// can be written down. Nothing here knows files, sockets or rules of scheduling.
///
///     Batch 42 ──▶ bytes in the journal ──▶ the same Batch 42, with equal parts kept once
@NullMarked
package io.gpusched.wire.codec;

import org.jspecify.annotations.NullMarked;
