package io.gpusched.server.net;

import java.lang.management.ManagementFactory;

/// How many connections each port may hold, so that all of them together stay below the number of
/// files that the operating system lets this process open.
///
/// A connection is an open file. A process that runs out of them can neither accept a connection
/// nor write a snapshot, so the journal and the store keep a reserve that no client can take.
///
///     limit 1,024, 150 open, 128 reserved: 746 left = 74 metrics + 336 REST + 336 gRPC
public record ConnectionBudget(int rest, int grpc, int metrics) {
    /// Largest number of connections of a port, however many files may be open.
    public static final int MOST = 20_000;

    /// Files that are kept for the store, snapshots and logs.
    static final int RESERVED = 128;

    private static final int MOST_METRICS = 100;
    private static final int LEAST = 32;

    /// The budget that follows from this process's limit of open files and the files open now.
    public static ConnectionBudget ofThisProcess() {
        return ManagementFactory.getOperatingSystemMXBean()
                        instanceof com.sun.management.UnixOperatingSystemMXBean system
                ? of(system.getMaxFileDescriptorCount(), system.getOpenFileDescriptorCount())
                : new ConnectionBudget(MOST, MOST, MOST_METRICS);
    }

    /// Throws an [IllegalArgumentException] that names the limit when it leaves too little.
    static ConnectionBudget of(long limit, long open) {
        long left = limit - open - RESERVED;
        if (left < LEAST) {
            throw new IllegalArgumentException(
                    "this process may open %d files, %d are open and %d are reserved for the store,"
                                    .formatted(limit, open, RESERVED)
                            + " which leaves too few for connections; raise the limit to %d or more"
                                    .formatted(open + RESERVED + LEAST)
                            + " (ulimit -n, or LimitNOFILE of the service)");
        }
        int metrics = (int) Math.min(MOST_METRICS, left / 10);
        int each = (int) Math.min(MOST, (left - metrics) / 2);
        return new ConnectionBudget(each, each, metrics);
    }
}
