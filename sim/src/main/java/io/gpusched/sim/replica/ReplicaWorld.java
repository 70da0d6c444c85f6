package io.gpusched.sim.replica;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// A pool of replicas in simulated time: a router sends each request to the least loaded replica
/// that is ready, and every replica is paid for from the decision that adds it until its last
/// answer.
///
/// The caller moves time with [#runTo] and adds or removes replicas in between.
public final class ReplicaWorld {
    /// A replica of the pool.
    public static final class Member {
        private final long id;
        private final SimulatedReplica replica;
        private final double paidFrom;
        private final double readyAt;
        private boolean removed;

        private Member(long id, SimulatedReplica replica, double paidFrom, double readyAt) {
            this.id = id;
            this.replica = replica;
            this.paidFrom = paidFrom;
            this.readyAt = readyAt;
        }

        public long id() {
            return id;
        }

        public SimulatedReplica replica() {
            return replica;
        }

        public boolean isReady(double now) {
            return !removed && readyAt <= now;
        }

        public boolean isRemoved() {
            return removed;
        }
    }

    private final IterationCost cost;
    private final List<ServingRequest> requests;
    private final AnswerTimes answers;
    private final List<Member> members = new ArrayList<>();
    private final List<ServingRequest> held = new ArrayList<>();
    private final List<ServingRequest> arrived = new ArrayList<>();
    private double gone;
    private double now;
    private int next;
    private int added;
    private int removed;

    /// @param requests in order of arrival
    public ReplicaWorld(IterationCost cost, List<ServingRequest> requests) {
        this.cost = cost;
        this.requests = requests;
        this.answers = new AnswerTimes(requests);
    }

    /// Adds a replica that takes requests from `readyAt` on.
    public Member add(long id, double readyAt) {
        var member = new Member(id, new SimulatedReplica(cost, answers), now, readyAt);
        members.add(member);
        added++;
        return member;
    }

    /// The replica takes no more requests and is gone when it has answered those it has.
    public void remove(Member member) {
        member.removed = true;
        removed++;
        settle(member);
    }

    /// The replica to remove first: one that is not ready, else the emptiest, else the youngest.
    public @Nullable Member leastUseful() {
        return members.stream()
                .filter(each -> !each.removed)
                .min(
                        Comparator.<Member>comparingInt(each -> each.readyAt <= now ? 1 : 0)
                                .thenComparingInt(
                                        each -> each.replica.running() + each.replica.waiting())
                                .thenComparing(Comparator.comparingLong(Member::id).reversed()))
                .orElse(null);
    }

    /// Moves time on, with everything that happens until then.
    public void runTo(double end) {
        while (true) {
            double arrival =
                    next < requests.size()
                            ? requests.get(next).arrival()
                            : Double.POSITIVE_INFINITY;
            double ready = held.isEmpty() ? Double.POSITIVE_INFINITY : firstReady();
            Member first = firstMember();
            double step = first == null ? Double.POSITIVE_INFINITY : first.replica.next();
            double at = Math.min(Math.min(arrival, ready), step);
            if (at > end || at == Double.POSITIVE_INFINITY) {
                break;
            }
            now = Math.max(now, at);
            if (ready <= at) {
                List<ServingRequest> waiting = List.copyOf(held);
                held.clear();
                waiting.forEach(this::route);
            } else if (arrival <= at) {
                ServingRequest request = requests.get(next++);
                arrived.add(request);
                route(request);
            } else if (first != null) {
                first.replica.step();
                settle(first);
            }
        }
        now = Math.max(now, Double.isInfinite(end) ? now : end);
    }

    private @Nullable Member firstMember() {
        Member first = null;
        double at = Double.POSITIVE_INFINITY;
        for (Member member : members) {
            if (member.replica.next() < at) {
                at = member.replica.next();
                first = member;
            }
        }
        return first;
    }

    private double firstReady() {
        double ready = Double.POSITIVE_INFINITY;
        for (Member member : members) {
            if (!member.removed) {
                ready = Math.min(ready, Math.max(now, member.readyAt));
            }
        }
        return ready;
    }

    private void route(ServingRequest request) {
        Member best = null;
        double least = Double.POSITIVE_INFINITY;
        for (Member member : members) {
            if (member.isReady(now) && member.replica.pressure() < least) {
                least = member.replica.pressure();
                best = member;
            }
        }
        if (best == null) {
            held.add(request);
        } else {
            best.replica.accept(request, now);
        }
    }

    private void settle(Member member) {
        if (member.removed && member.replica.isIdle()) {
            gone += now - member.paidFrom;
            members.remove(member);
        }
    }

    public double now() {
        return now;
    }

    /// Whether every request was answered.
    public boolean isOver() {
        return next == requests.size()
                && held.isEmpty()
                && members.stream().allMatch(each -> each.replica.isIdle());
    }

    /// Replicas in order of their numbers, also those that finish their work.
    public List<Member> members() {
        return List.copyOf(members);
    }

    /// Replicas that were not removed.
    public int size() {
        return (int) members.stream().filter(each -> !each.removed).count();
    }

    public int ready() {
        return (int) members.stream().filter(each -> each.isReady(now)).count();
    }

    /// Requests that wait because no replica is ready.
    public List<ServingRequest> held() {
        return List.copyOf(held);
    }

    /// Requests that arrived since this was last called.
    public List<ServingRequest> takeArrived() {
        List<ServingRequest> some = List.copyOf(arrived);
        arrived.clear();
        return some;
    }

    public AnswerTimes answers() {
        return answers;
    }

    /// Replicas that were added, also those at the beginning.
    public int added() {
        return added;
    }

    public int removed() {
        return removed;
    }

    /// Hours of replicas that were paid for until now.
    public double replicaHours() {
        double seconds = gone;
        for (Member member : members) {
            seconds += now - member.paidFrom;
        }
        return seconds / 3600;
    }
}
