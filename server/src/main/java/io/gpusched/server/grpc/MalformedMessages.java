package io.gpusched.server.grpc;

import com.google.protobuf.InvalidProtocolBufferException;

import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Filter;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/// Keeps gRPC from logging a stack trace for every malformed message, with which any client could
/// fill the disk. Instead, one line from time to time says how many there were.
final class MalformedMessages implements Filter {
    private static final String LOGGER = "io.grpc.internal.SerializingExecutor";
    private static final long BETWEEN_LINES = TimeUnit.MINUTES.toNanos(1);

    /// Kept in a field, because the log manager drops loggers without a reference.
    private final Logger filtered = Logger.getLogger(LOGGER);

    private final AtomicLong unreported = new AtomicLong();
    private final AtomicLong reportedAt = new AtomicLong(System.nanoTime() - BETWEEN_LINES);

    void begin() {
        filtered.setFilter(this);
    }

    @Override
    public boolean isLoggable(LogRecord record) {
        if (!isMalformed(record.getThrown())) {
            return true;
        }
        unreported.incrementAndGet();
        long last = reportedAt.get();
        long now = System.nanoTime();
        if (now - last >= BETWEEN_LINES && reportedAt.compareAndSet(last, now)) {
            LoggerFactory.getLogger(MalformedMessages.class)
                    .warn("{} gRPC messages could not be read", unreported.getAndSet(0));
        }
        return false;
    }

    private static boolean isMalformed(@Nullable Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof InvalidProtocolBufferException) {
                return true;
            }
        }
        return false;
    }
}
