package io.gpusched.server.agents;

import com.google.protobuf.ByteString;

import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.NodeId;

import java.time.Duration;
import java.util.function.Predicate;

/// Fetches the output of tasks from the machines that it was written on. Calls wait for those
/// machines, so use a virtual thread.
public interface LogSource {
    /// Identifies the output of one task of an attempt, and the node that it ran on.
    record Log(AttemptId attempt, int rank, NodeId node) {}

    /// The result of a request.
    sealed interface Fetched {
        /// @param offset of the first byte, counted over everything that the task wrote; larger
        ///        than requested if the beginning is no longer kept
        /// @param complete whether the task has ended and nothing follows
        record Piece(long offset, ByteString content, boolean complete) implements Fetched {
            public long end() {
                return offset + content.size();
            }
        }

        /// The machine is not connected, did not answer, or no longer keeps the output.
        record Unavailable(String reason) implements Fetched {}
    }

    /// Fetches a piece from `offset`; negative offsets count from the end. If there is nothing yet,
    /// waits up to `wait` for more.
    Fetched fetch(Log log, long offset, int maxBytes, Duration wait);

    /// Passes every piece from `offset` on to `reader`. It ends when the task has ended and all is
    /// read, when the output becomes unavailable (which is passed on too), or when the reader
    /// returns false. Empty pieces are passed on from time to time, so that a reader that is gone
    /// is noticed.
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
