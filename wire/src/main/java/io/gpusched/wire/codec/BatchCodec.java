package io.gpusched.wire.codec;

import com.google.protobuf.InvalidProtocolBufferException;

import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.JobId;
import io.gpusched.wire.proto.JournalProto;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Converts batches to the bytes of the journal and back.
///
/// A decoded batch equals the encoded one. Parts that many jobs have in common are decoded as one
/// object, so that a replay of a million waiting jobs fits into little memory. Any thread may use
/// it; separate codecs share nothing.
public final class BatchCodec {
    private final EventCodec events;

    public BatchCodec() {
        var nameInterner = new NameInterner();
        events =
                new EventCodec(
                        nameInterner,
                        new SpecCodec(nameInterner),
                        new PlacementCodec(nameInterner));
    }

    public byte[] encode(Batch batch) {
        return message(batch).toByteArray();
    }

    JournalProto.Batch message(Batch batch) {
        var message =
                JournalProto.Batch.newBuilder()
                        .setNumber(batch.number())
                        .setTerm(batch.term())
                        .setAtMicros(TimeCodec.micros(batch.at()))
                        .setDigest(batch.digest());
        for (Event event : batch.facts()) {
            message.addFacts(events.encode(event, batch.at()));
        }
        for (Event event : batch.decided()) {
            message.addDecided(events.encode(event, batch.at()));
        }
        return message.build();
    }

    /// Throws [UnreadableException] for anything that [#encode] did not write.
    public Batch decode(byte[] bytes) {
        try {
            return batch(JournalProto.Batch.parseFrom(bytes));
        } catch (InvalidProtocolBufferException | Check.Broken e) {
            throw new UnreadableException("a batch cannot be read: " + e.getMessage(), e);
        }
    }

    /// The events of the batch that are about the job; those of others are not decoded.
    public List<Event> eventsOf(JobId job, byte[] bytes) {
        try {
            JobEventScan found = JobEventScan.of(bytes, job.number());
            Instant at = TimeCodec.instant(found.atMicros());
            List<Event> decoded = decode(found.facts(), at);
            decoded.addAll(decode(found.decided(), at));
            return decoded;
        } catch (InvalidProtocolBufferException | Check.Broken e) {
            throw new UnreadableException("a batch cannot be read: " + e.getMessage(), e);
        }
    }

    Batch batch(JournalProto.Batch message) {
        Instant at = TimeCodec.instant(message.getAtMicros());
        return new Batch(
                message.getNumber(),
                message.getTerm(),
                at,
                decode(message.getFactsList(), at),
                decode(message.getDecidedList(), at),
                message.getDigest());
    }

    private List<Event> decode(List<JournalProto.Event> messages, Instant at) {
        var decoded = new ArrayList<Event>(messages.size());
        for (var message : messages) {
            decoded.add(events.decode(message, at));
        }
        return decoded;
    }
}
