package io.gpusched.wire.codec;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;

import io.gpusched.wire.proto.JournalProto;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// The events of one job in an encoded batch.
///
/// A batch may hold thousands of events of other jobs. Each starts with the number of its job, so
/// the scan reads that number and skips the rest; only events of the wanted job are parsed.
final class JobEventScan {
    private final byte[] bytes;
    private final long job;
    private final List<JournalProto.Event> facts = new ArrayList<>();
    private final List<JournalProto.Event> decided = new ArrayList<>();
    private long atMicros;

    private JobEventScan(byte[] bytes, long job) {
        this.bytes = bytes;
        this.job = job;
    }

    /// Throws [InvalidProtocolBufferException] when the bytes are no batch.
    static JobEventScan of(byte[] bytes, long job) throws InvalidProtocolBufferException {
        var scan = new JobEventScan(bytes, job);
        try {
            scan.run();
        } catch (InvalidProtocolBufferException e) {
            throw e;
        } catch (IOException e) {
            throw new InvalidProtocolBufferException(e);
        }
        return scan;
    }

    long atMicros() {
        return atMicros;
    }

    List<JournalProto.Event> facts() {
        return facts;
    }

    List<JournalProto.Event> decided() {
        return decided;
    }

    private void run() throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(bytes);
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case JournalProto.Batch.AT_MICROS_FIELD_NUMBER -> atMicros = in.readInt64();
                case JournalProto.Batch.FACTS_FIELD_NUMBER -> event(in, facts);
                case JournalProto.Batch.DECIDED_FIELD_NUMBER -> event(in, decided);
                default -> in.skipField(tag);
            }
        }
    }

    private void event(CodedInputStream in, List<JournalProto.Event> into) throws IOException {
        int length = in.readRawVarint32();
        int from = in.getTotalBytesRead();
        in.skipRawBytes(length);
        if (jobOf(CodedInputStream.newInstance(bytes, from, length)) == job) {
            into.add(JournalProto.Event.parser().parseFrom(bytes, from, length));
        }
    }

    /// The job that the event is about; -1 when it is about none.
    private static long jobOf(CodedInputStream event) throws IOException {
        for (int tag = event.readTag(); tag != 0; tag = event.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case JournalProto.Event.JOB_SUBMITTED_FIELD_NUMBER,
                        JournalProto.Event.JOB_UPDATED_FIELD_NUMBER,
                        JournalProto.Event.JOB_HELD_FIELD_NUMBER,
                        JournalProto.Event.JOB_RELEASED_FIELD_NUMBER,
                        JournalProto.Event.JOB_REQUEUED_FIELD_NUMBER,
                        JournalProto.Event.JOB_ENDED_FIELD_NUMBER,
                        JournalProto.Event.AVOIDANCE_ENDED_FIELD_NUMBER,
                        JournalProto.Event.CAPACITY_CHOSEN_FIELD_NUMBER,
                        JournalProto.Event.REPLICA_DRAINING_FIELD_NUMBER -> {
                    event.readRawVarint32();
                    return firstNumber(event);
                }
                case JournalProto.Event.ATTEMPT_PLACED_FIELD_NUMBER,
                        JournalProto.Event.TASK_CHANGED_FIELD_NUMBER,
                        JournalProto.Event.TASK_IDLE_FIELD_NUMBER,
                        JournalProto.Event.ATTEMPT_RUNNING_FIELD_NUMBER,
                        JournalProto.Event.ATTEMPT_STOPPING_FIELD_NUMBER,
                        JournalProto.Event.START_REFUSED_FIELD_NUMBER -> {
                    event.readRawVarint32();
                    return firstOfAttempt(event);
                }
                default -> event.skipField(tag);
            }
        }
        return -1;
    }

    private static long firstOfAttempt(CodedInputStream event) throws IOException {
        if (WireFormat.getTagFieldNumber(event.readTag()) != 1) {
            return -1;
        }
        event.readRawVarint32();
        return firstNumber(event);
    }

    private static long firstNumber(CodedInputStream message) throws IOException {
        return WireFormat.getTagFieldNumber(message.readTag()) == 1 ? message.readInt64() : -1;
    }
}
