package io.gpusched.core.place;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.ClaimHolder;
import io.gpusched.core.model.ClaimId;
import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.nodes.ReservedCapacity;
import io.gpusched.core.state.CapacityView;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/// The expected future of capacity: when each run is expected to end, and when each reservation
/// begins and ends. A [Window] shows what a job may use if it holds its slots for a time, now or
/// later. Times are microseconds.
///
///     now      t           t + length
///     run 1 ───┤           │              ended by then: its capacity counts as free
///     run 2 ───────┤       │              still running at t: its capacity does not
///              │   ├ reserved ──┤         begins within the window: its capacity does not
public final class CapacityTimeline {
    /// An overdue run is expected to end within this time, again and again.
    static final Duration OVERDUE = Duration.ofSeconds(60);

    private static final long STEP = OVERDUE.toMillis() * 1000;

    /// A claim, and the time in which it is used.
    public static final class Reservation {
        public final Claim claim;
        public final JobId holder;
        public final long from;

        /// Whether it is capacity for which others are being preempted: no other job may use it.
        private final boolean isRoom;

        /// The earliest time it is used, which is now for one that is due; and until when.
        private final long begins;

        private final long ends;

        /// A running number.
        private final int number;

        private Reservation(Claim claim, JobId holder, long now, long length, int number) {
            this.number = number;
            this.claim = claim;
            this.holder = holder;
            this.from = Instants.micros(claim.from());
            this.isRoom = claim.kind() == Claim.Kind.ROOM;
            this.begins = Math.max(from, now);
            // Preempted capacity may be freed as late as its claim expires.
            long used = isRoom ? Math.max(begins, Instants.micros(claim.until())) : begins;
            this.ends = used + length;
        }
    }

    /// The expected end of a run, which frees its capacity.
    public record Ending(long at, Job job) {}

    private record Returned(long at, Slot slot, JobId job) {}

    private final ClusterState state;
    private final Duration assumed;
    private final long now;
    private final Map<ClaimId, Reservation> reservations = new LinkedHashMap<>();
    private final Map<JobId, Reservation> byHolder = new LinkedHashMap<>();
    private final Map<NodeId, List<Returned>> returned = new LinkedHashMap<>();
    private @Nullable List<Ending> endings;
    private @Nullable List<Reservation> byBegin;
    private @Nullable List<Reservation> byEnd;

    /// How many reservations were added so far.
    private int made;

    public CapacityTimeline(ClusterState state, Duration assumed, Instant now) {
        this.state = state;
        this.assumed = assumed;
        this.now = Instants.micros(now);
        for (Claim claim : state.claims()) {
            add(claim);
        }
    }

    /// Applies a decision of the cycle.
    public void apply(Event event) {
        if (event instanceof Event.ClaimMade made) {
            add(made.claim());
        } else if (event instanceof Event.ClaimDropped dropped) {
            Reservation reservation = reservations.remove(dropped.claim());
            if (reservation != null) {
                byHolder.remove(reservation.holder, reservation);
                byBegin = null;
                byEnd = null;
            }
        } else {
            endings = null;
            returned.clear();
        }
    }

    private void add(Claim claim) {
        Job holder =
                claim.claimHolder() instanceof ClaimHolder.OfJob of ? state.job(of.job()) : null;
        if (holder != null) {
            var reservation = new Reservation(claim, holder.id(), now, length(holder), made++);
            reservations.put(claim.id(), reservation);
            if (!reservation.isRoom) {
                byHolder.put(holder.id(), reservation);
            }
            byBegin = null;
            byEnd = null;
        }
    }

    /// The reservations.
    public List<Reservation> reservations() {
        return List.copyOf(byHolder.values());
    }

    public @Nullable Reservation of(JobId job) {
        return byHolder.get(job);
    }

    long length(Job job) {
        Duration length = job.spec().planned(assumed);
        return length.getSeconds() * 1_000_000 + length.getNano() / 1000;
    }

    /// When the run is expected to end. A run that is a little late may end any time. A later one
    /// is given another minute, then two, then four: the longer it has run, the longer it is likely
    /// to, and reservations behind it are not moved every minute.
    private long end(Job job) {
        long end = Instants.micros(state.runs().expectedEnd(job));
        long late = now - end;
        if (late < 0) {
            return end;
        }
        return late < STEP ? now : end + 2 * STEP * Long.highestOneBit(late / STEP);
    }

    /// All runs, the earliest expected end first.
    public List<Ending> endings() {
        List<Ending> known = endings;
        if (known == null) {
            known = new ArrayList<>();
            for (Job job : state.runs().byExpectedEnd()) {
                if (!state.runs().isEndless(job)) {
                    known.add(new Ending(end(job), job));
                }
            }
            known.sort(Comparator.comparingLong(Ending::at).thenComparing(e -> e.job.id()));
            endings = known;
        }
        return known;
    }

    /// Every time from now on at which capacity is expected to be freed, in order.
    public long[] times() {
        var times = new TreeSet<Long>();
        for (Ending ending : endings()) {
            times.add(ending.at);
        }
        for (Reservation reservation : reservations.values()) {
            times.add(reservation.ends);
        }
        return times.stream().mapToLong(Long::longValue).toArray();
    }

    /// What a job that starts now may use.
    ///
    /// @param binding the reservations that it must not use
    public Window now(Job job, Predicate<Reservation> binding) {
        return at(now, job, binding);
    }

    /// What a job that starts at `at` may use. Capacity that runs free later counts, except for
    /// runs that a trial has evicted.
    public Window at(long at, Job job, Predicate<Reservation> binding) {
        return new Window(job, at, binding);
    }

    /// The time during which a job would hold its slots, and the reservations that hide capacity
    /// from it then.
    public final class Window implements ReservedCapacity {
        private final CapacityView view = CapacityView.by(state, this);
        private final BitSet bindingOnes = new BitSet();
        private final BitSet hidden = new BitSet();
        private long begins;
        private long ends;

        /// How many reservations the window has reached, and passed.
        private int met;

        private int left;

        private Window(Job job, long at, Predicate<Reservation> binding) {
            begins = at;
            ends = at + length(job);
            for (Reservation reservation : reservations.values()) {
                boolean binds =
                        !reservation.holder.equals(job.id())
                                && (reservation.isRoom || binding.test(reservation));
                bindingOnes.set(reservation.number, binds);
                hidden.set(
                        reservation.number,
                        binds && reservation.begins < ends && reservation.ends > at);
            }
        }

        /// What the job may use during the window, also after it slides.
        public CapacityView view() {
            return view;
        }

        /// Moves the start of the job; returns the claims that begin or cease to hide capacity by
        /// that.
        public List<Claim> slideTo(long at) {
            ends += at - begins;
            begins = at;
            var changed = new ArrayList<Claim>();
            for (List<Reservation> all = byBegin(); met < all.size(); met++) {
                Reservation reservation = all.get(met);
                if (reservation.begins >= ends) {
                    break;
                }
                if (bindingOnes.get(reservation.number)
                        && !hidden.get(reservation.number)
                        && reservation.ends > at) {
                    hidden.set(reservation.number);
                    changed.add(reservation.claim);
                }
            }
            List<Reservation> all = byEnd();
            for (; left < all.size() && all.get(left).ends <= at; left++) {
                if (hidden.get(all.get(left).number)) {
                    hidden.clear(all.get(left).number);
                    changed.add(all.get(left).claim);
                }
            }
            return changed;
        }

        @Override
        public boolean hides(Claim claim) {
            Reservation reservation = reservations.get(claim.id());
            return reservation == null || hidden.get(reservation.number);
        }

        /// Adds up what begins and ends, in order of time.
        @Override
        public long most(List<Claim> claims, NodeId node, ToLongFunction<Slot> of) {
            var changes = new TreeMap<Long, Long>();
            for (Claim claim : claims) {
                long amount = hides(claim) ? amount(claim, node, of) : 0;
                if (amount != 0) {
                    Reservation reservation = reservations.get(claim.id());
                    long from = reservation == null ? begins : Math.max(begins, reservation.begins);
                    changes.merge(from, amount, Long::sum);
                    changes.merge(
                            reservation == null ? ends : reservation.ends, -amount, Long::sum);
                }
            }
            if (changes.isEmpty()) {
                return 0;
            }
            for (Returned one : returned.computeIfAbsent(node, CapacityTimeline.this::returns)) {
                if (!state.nodes().isAway(one.job)) {
                    changes.merge(Math.max(begins, one.at), -of.applyAsLong(one.slot), Long::sum);
                }
            }
            long sum = 0;
            long most = 0;
            for (long change : changes.values()) {
                sum += change;
                most = Math.max(most, sum);
            }
            return most;
        }
    }

    private List<Reservation> byBegin() {
        List<Reservation> known = byBegin;
        if (known == null) {
            known = new ArrayList<>(reservations.values());
            known.sort(Comparator.comparingLong(reservation -> reservation.begins));
            byBegin = known;
        }
        return known;
    }

    private List<Reservation> byEnd() {
        List<Reservation> known = byEnd;
        if (known == null) {
            known = new ArrayList<>(reservations.values());
            known.sort(Comparator.comparingLong(reservation -> reservation.ends));
            byEnd = known;
        }
        return known;
    }

    private static long amount(Claim claim, NodeId node, ToLongFunction<Slot> of) {
        long sum = 0;
        for (Slot slot : claim.slots()) {
            sum += slot.node().equals(node) ? of.applyAsLong(slot) : 0;
        }
        return sum;
    }

    private List<Returned> returns(NodeId id) {
        var all = new ArrayList<Returned>();
        for (Job job : housed(id)) {
            Run run = Objects.requireNonNull(job.phase().run());
            for (Slot slot : run.on().slots()) {
                if (slot.node().equals(id)) {
                    all.add(new Returned(end(job), slot, job.id()));
                }
            }
        }
        return all;
    }

    /// Runs on the nodes of these slots that are expected to end by then.
    public List<Run> overOn(List<Slot> slots, long by) {
        var nodes = new LinkedHashSet<NodeId>();
        slots.forEach(slot -> nodes.add(slot.node()));
        var over = new LinkedHashMap<JobId, Run>();
        for (NodeId node : nodes) {
            for (Job job : housed(node)) {
                if (end(job) <= by) {
                    over.put(job.id(), Objects.requireNonNull(job.phase().run()));
                }
            }
        }
        return List.copyOf(over.values());
    }

    private List<Job> housed(NodeId id) {
        var jobs = new ArrayList<Job>();
        NodeView node = Objects.requireNonNull(state.nodes().find(id));
        for (JobId job : node.jobs()) {
            jobs.add(Objects.requireNonNull(state.job(job)));
        }
        return jobs;
    }
}
