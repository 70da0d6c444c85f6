package io.gpusched.store;

import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.JobId;
import io.gpusched.wire.codec.BatchCodec;
import io.gpusched.wire.codec.UnreadableException;

import java.nio.ByteBuffer;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.zip.CRC32C;

/// One row of the journal's table: an encoded batch.
///
/// @param at microseconds since 1970
/// @param checksum of all other columns
@SuppressWarnings("ArrayRecordComponent") // Rows are never compared or printed.
record JournalRow(long number, long term, long at, byte[] body, long digest, long checksum) {
    static JournalRow of(Batch batch, BatchCodec codec) {
        byte[] body = codec.encode(batch);
        long at = micros(batch.at());
        return new JournalRow(
                batch.number(),
                batch.term(),
                at,
                body,
                batch.digest(),
                checksum(batch.number(), batch.term(), at, body, batch.digest()));
    }

    /// Throws, naming the row, if the checksum does not match.
    void check() {
        long found = checksum(number, term, at, body, digest);
        if (found != checksum) {
            throw damaged("its checksum should be " + checksum + " and is " + found);
        }
    }

    /// The decoded and checked batch.
    Batch batch(BatchCodec codec) {
        check();
        Batch batch;
        try {
            batch = codec.decode(body);
        } catch (UnreadableException e) {
            throw unreadable(e);
        }
        if (batch.number() != number || batch.term() != term || batch.digest() != digest) {
            throw damaged("its body is batch " + batch.number());
        }
        return batch;
    }

    /// The events of the batch that concern the job. The row is checked; other events are not
    /// decoded.
    List<Event> eventsOf(JobId job, BatchCodec codec) {
        check();
        try {
            return codec.eventsOf(job, body);
        } catch (UnreadableException e) {
            throw unreadable(e);
        }
    }

    private StoreException unreadable(UnreadableException e) {
        return new StoreException(
                StoreException.Kind.DAMAGED,
                "batch " + number + " of the journal: " + e.getMessage(),
                e);
    }

    /// Sets the six parameters of a statement, in the order of the columns.
    void bind(PreparedStatement to) throws SQLException {
        to.setLong(1, number);
        to.setLong(2, term);
        to.setLong(3, at);
        to.setBytes(4, body);
        to.setLong(5, digest);
        to.setLong(6, checksum);
    }

    boolean sameAs(JournalRow other) {
        return number == other.number && term == other.term && checksum == other.checksum;
    }

    private StoreException damaged(String how) {
        return new StoreException(
                StoreException.Kind.DAMAGED,
                "batch "
                        + number
                        + " of the journal is damaged: "
                        + how
                        + "; restore a backup that has it");
    }

    private static long checksum(long number, long term, long at, byte[] body, long digest) {
        var crc = new CRC32C();
        crc.update(
                ByteBuffer.allocate(4 * Long.BYTES)
                        .putLong(number)
                        .putLong(term)
                        .putLong(at)
                        .putLong(digest)
                        .flip());
        crc.update(body, 0, body.length);
        return crc.getValue();
    }

    private static long micros(Instant instant) {
        return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1000;
    }
}
