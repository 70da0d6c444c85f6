package io.gpusched.server.agents;

import com.google.protobuf.ByteString;

import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.NodeId;

import java.time.Duration;
import java.util.function.Predicate;

/// The output of tasks, fetched from the machine it was written on. Calls wait for that machine, so
/// make them on a virtual thread.
public interface LogSource {
    /// Whose output: one task of one run, and the node it was placed on.
    record Log(AttemptId attempt, int rank, NodeId node) {}

    /// What came of a request.
    sealed interface Fetched {
        /// @param offset of the first byte, counted over everything the task ever wrote; later than
        ///     asked for where the beginning is no longer kept
        /// @param complete the task has ended and nothing follows
        record Piece(long offset, ByteString content, boolean complete) implements Fetched {
            public long end() {
                return offset + content.size();
            }
        }

        /// The machine is not connected, did not answer, or no longer keeps the output.
        record Unavailable(String reason) implements Fetched {}
    }

    /// Fetches a piece from `offset`; negative offsets count from the end. Where there is nothing
    /// yet, waits up to `wait` for more.
    Fetched fetch(Log log, long offset, int maxBytes, Duration wait);

    /// Hands every piece from `offset` on to `reader` until the task has ended and all is read, the
    /// output becomes unavailable, which is handed over too, or the reader returns false. Empty
    /// pieces are handed over now and then, so that a reader that is gone can be noticed.
    default void follow(Log log, long offset, Predicate<Fetched> reader) {
        long at = offset;
        boolean more = true;
        while (more) {
            Fetched fetched = fetch(log, at, 256 << 10, Duration.ofSeconds(10));
            more =
                    reader.test(fetched)
                            && fetched instanceof Fetched.Piece piece
                            && !piece.complete();
            if (fetched instanceof Fetched.Piece piece) {
                at = piece.end();
            }
        }
    }
}
