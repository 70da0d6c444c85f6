package io.gpusched.demo.pool;

import io.gpusched.sim.replica.AnswerTimes;
import io.gpusched.sim.replica.IterationCost;
import io.gpusched.sim.replica.ReplicaCounts;
import io.gpusched.sim.replica.ServingRequest;
import io.gpusched.sim.replica.SimulatedReplica;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/// The replicas of one pool, and a router that sends each request to the least loaded of them.
/// The traffic begins when the first replica is ready. While none is, requests wait in the router.
final class SimulatedPool {
    /// How long a replica loads its model, in seconds.
    static final double LOAD_SECONDS = 6;

    /// What the requests were promised, in seconds.
    static final double FIRST_TOKEN = 1;

    static final double INTER_TOKEN = 0.075;

    private static final double TAIL = 0.95;

    /// @param readyAt when the model is loaded
    private record Member(SimulatedReplica replica, double readyAt, boolean drains) {
        boolean takes(double now) {
            return !drains && readyAt <= now;
        }
    }

    private final @Nullable LongFunction<ServingRequest> traffic;
    private final AnswerTimes answers;
    private final Map<String, Member> members = new LinkedHashMap<>();
    private final ArrayDeque<ServingRequest> held = new ArrayDeque<>();
    private final List<ServingRequest> arrived = new ArrayList<>();
    private double now;
    private double opened = Double.POSITIVE_INFINITY;
    private double reportedAt;
    private long next;
    private long sequence;

    private SimulatedPool(
            @Nullable LongFunction<ServingRequest> traffic, List<ServingRequest> requests) {
        this.traffic = traffic;
        this.answers = new AnswerTimes(requests);
    }

    /// A pool that serves the same day again and again.
    static SimulatedPool of(TrafficDay day) {
        return new SimulatedPool(day::request, day.requests());
    }

    /// A pool that gets no requests.
    ///
    /// @param now in seconds since the demo began
    static SimulatedPool idle(double now) {
        var pool = new SimulatedPool(null, List.of());
        pool.now = now;
        pool.reportedAt = now;
        return pool;
    }

    /// Takes over which replicas the scheduler has started, and which of them drain.
    ///
    /// @param started the ids of their jobs; true for those that drain
    void follow(Map<String, Boolean> started) {
        members.keySet().retainAll(started.keySet());
        started.forEach(
                (job, drains) ->
                        members.compute(
                                job,
                                (_, before) ->
                                        before == null
                                                ? new Member(replica(), now + LOAD_SECONDS, drains)
                                                : new Member(
                                                        before.replica, before.readyAt, drains)));
    }

    private SimulatedReplica replica() {
        return new SimulatedReplica(IterationCost.LLAMA2_70B, answers);
    }

    /// Moves time on, with everything that happens until then.
    void runTo(double end) {
        for (Member member : members.values()) {
            if (opened > end && member.takes(end)) {
                opened = member.readyAt;
            }
        }
        ServingRequest request = upcoming();
        while (request != null && request.arrival() <= end) {
            next++;
            work(request.arrival());
            arrived.add(request);
            held.addLast(request);
            route();
            request = upcoming();
        }
        work(end);
        route();
    }

    /// The next request, with the time of its arrival here; null if there is none.
    private @Nullable ServingRequest upcoming() {
        if (traffic == null) {
            return null;
        }
        ServingRequest one = traffic.apply(next);
        double arrival = opened + one.arrival();
        return new ServingRequest(one.number(), arrival, one.prompt(), one.output());
    }

    private void work(double until) {
        for (Member member : members.values()) {
            while (member.replica.next() <= until) {
                member.replica.step();
            }
        }
        now = Math.max(now, until);
    }

    private void route() {
        while (!held.isEmpty()) {
            Member best = null;
            for (Member member : members.values()) {
                if (member.takes(now)
                        && (best == null || member.replica.pressure() < best.replica.pressure())) {
                    best = member;
                }
            }
            if (best == null) {
                return;
            }
            best.replica.accept(held.removeFirst(), now);
        }
    }

    /// What happened since the last report, as a gateway would report it.
    LoadDocument report() {
        var replicas = new ArrayList<LoadDocument.Replica>();
        var waits = new ArrayList<Double>();
        int answered = 0;
        int within = 0;
        long output = 0;
        for (var entry : members.entrySet()) {
            Member member = entry.getValue();
            ReplicaCounts counts = member.replica.counts();
            replicas.add(
                    LoadDocument.Replica.of(entry.getKey(), member.takes(now), member.replica));
            waits.addAll(counts.waits());
            answered += counts.answered().size();
            within += (int) counts.answered().stream().filter(this::isWithin).count();
            output += counts.outputTokens();
            counts.clear();
        }
        var report =
                new LoadDocument(
                        ++sequence,
                        Math.round((now - reportedAt) * 1000),
                        arrived.size(),
                        arrived.stream().mapToLong(ServingRequest::prompt).sum(),
                        output,
                        held.size(),
                        held.stream().mapToLong(ServingRequest::prompt).sum(),
                        answered,
                        within,
                        tailMillis(waits),
                        replicas);
        arrived.clear();
        reportedAt = now;
        return report;
    }

    private boolean isWithin(ServingRequest request) {
        return answers.isWithin(request, FIRST_TOKEN, INTER_TOKEN);
    }

    private static long tailMillis(List<Double> waits) {
        if (waits.isEmpty()) {
            return 0;
        }
        Collections.sort(waits);
        return Math.round(1000 * waits.get((int) (TAIL * (waits.size() - 1))));
    }
}
