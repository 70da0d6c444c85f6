package io.gpusched.lab.pools;

import io.gpusched.core.pool.Slo;
import io.gpusched.sim.replica.RequestTraces;
import io.gpusched.sim.replica.ServingRequest;

import java.util.List;

/// Recorded requests with the objectives that they are measured by.
///
/// @param label as in the table of expected figures
/// @param copies how often every request is sent
public record PoolTrace(String label, int copies, Slo slo, List<ServingRequest> requests) {
    /// Seconds between two copies of a request.
    private static final double APART = 0.37;

    /// Conversations of Azure: one second to the first token, 75 ms between tokens.
    public static final Slo CONVERSATION = new Slo(1_000, 75, 0, 990);

    /// Code completion of Azure.
    public static final Slo CODE = new Slo(2_000, 250, 0, 950);

    /// Conversations of Mooncake, whose prompts are ten times as long; objectives of its authors.
    public static final Slo MOONCAKE = new Slo(30_000, 100, 0, 950);

    public PoolTrace {
        requests = List.copyOf(requests);
    }

    /// A trace in which every request is sent several times, each a little later.
    public static PoolTrace of(String label, int copies, Slo slo, List<ServingRequest> recorded) {
        return new PoolTrace(label, copies, slo, RequestTraces.copies(recorded, copies, APART));
    }
}
