package io.gpusched.sim.pools;

import io.gpusched.core.event.Input;
import io.gpusched.core.model.Node;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolLoad;
import io.gpusched.sim.replica.IterationCost;
import io.gpusched.sim.replica.ServingRequest;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// What surrounds the law in a run of a pool.
///
/// @param requests with arrivals in seconds after `start`
/// @param cost how fast a replica works
/// @param start when requests begin to come
/// @param loadTime from the placement of a replica until it takes requests
/// @param every how often the load is reported
/// @param nodes where replicas may run
/// @param first the pool before `start`; the replicas that it has then are ready at `start`
/// @param script what happens to the pool, in order of time
/// @param rooms for how many replicas there is capacity, from time to time; none for all nodes
/// @param gauges what reports say beside what the replicas did
/// @param end the run takes at least so long, also when no request is left
/// @param limit the run takes no longer than that, even if requests are left
public record PoolCase(
        List<ServingRequest> requests,
        IterationCost cost,
        Instant start,
        Duration loadTime,
        Duration every,
        List<Node> nodes,
        Pool first,
        List<Scripted> script,
        List<RoomAt> rooms,
        Gauges gauges,
        Duration end,
        Duration limit) {
    public PoolCase {
        requests = List.copyOf(requests);
        nodes = List.copyOf(nodes);
        script = List.copyOf(script);
        rooms = List.copyOf(rooms);
    }

    /// From this time on there is capacity for so many replicas.
    public record RoomAt(Instant at, int replicas) {}

    /// Completes reports of load with figures that no replica causes.
    public interface Gauges {
        Gauges NONE = (load, at) -> load;

        PoolLoad with(PoolLoad load, Instant at);
    }

    /// Inputs of one instant.
    public record Scripted(Instant at, List<Input> inputs) {
        public Scripted {
            inputs = List.copyOf(inputs);
        }

        public static Scripted of(Instant at, Input input) {
            return new Scripted(at, List.of(input));
        }
    }
}
