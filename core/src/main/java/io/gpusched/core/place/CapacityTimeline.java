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

/// What is known of the time to come: when each run is expected to be over, and when each promise
/// begins and ends. A [Window] of it shows what a job may use that would hold its place for a
/// time, now or later. Times are microseconds.
///
///     now      t           t + length
///     run 1 ───┤           │              over by then: its place counts as free
///     run 2 ───────┤       │              still there at t: its place does not
///              │   ├─ promise ─┤          begins within the window: its place does not
public final class CapacityTimeline {
    /// A run that is overdue is thought to be over within this time, over and over.
    static final Duration OVERDUE = Duration.ofSeconds(60);

    private static final long STEP = OVERDUE.toMillis() * 1000;

    /// A claim, and when it is used.
    public static final class Reservation {
        public final Claim claim;
        public final JobId holder;
        public final long from;

        /// Whether it is room for which others are being stopped: nobody may look past it.
        private final boolean isRoom;

        /// When it is used at the earliest, one that is due being used any time; and until when.
        private final long begins;

        private final long ends;

        /// Counts the promises.
        private final int number;

        private Reservation(Claim claim, JobId holder, long now, long length, int number) {
            this.number = number;
            this.claim = claim;
            this.holder = holder;
            this.from = Instants.micros(claim.from());
            this.isRoom = claim.kind() == Claim.Kind.ROOM;
            this.begins = Math.max(from, now);
            // Room may be free as late as its claim lapses.
            long used = isRoom ? Math.max(begins, Instants.micros(claim.until())) : begins;
            this.ends = used + length;
        }
    }

    /// What a run returns when it is over.
    public record Ending(long at, Job job) {}

    private record Returned(long at, Slot slot, JobId job) {}

    private final ClusterState state;
    private final Duration assumed;
    private final long now;
    private final Map<ClaimId, Reservation> promises = new LinkedHashMap<>();
    private final Map<JobId, Reservation> byHolder = new LinkedHashMap<>();
    private final Map<NodeId, List<Returned>> returned = new LinkedHashMap<>();
    private @Nullable List<Ending> endings;
    private @Nullable List<Reservation> byBegin;
    private @Nullable List<Reservation> byEnd;

    /// How many promises were made so far.
    private int made;

    public CapacityTimeline(ClusterState state, Duration assumed, Instant now) {
        this.state = state;
        this.assumed = assumed;
        this.now = Instants.micros(now);
        for (Claim claim : state.claims()) {
            promised(claim);
        }
    }

    /// Something was decided.
    public void hear(Event event) {
        if (event instanceof Event.ClaimMade made) {
            promised(made.claim());
        } else if (event instanceof Event.ClaimDropped dropped) {
            Reservation reservation = promises.remove(dropped.claim());
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

    private void promised(Claim claim) {
        Job holder =
                claim.claimHolder() instanceof ClaimHolder.OfJob of ? state.job(of.job()) : null;
        if (holder != null) {
            var reservation = new Reservation(claim, holder.id(), now, length(holder), made++);
            promises.put(claim.id(), reservation);
            if (!reservation.isRoom) {
                byHolder.put(holder.id(), reservation);
            }
            byBegin = null;
            byEnd = null;
        }
    }

    /// The reservations.
    public List<Reservation> promises() {
        return List.copyOf(byHolder.values());
    }

    public @Nullable Reservation of(JobId job) {
        return byHolder.get(job);
    }

    long length(Job job) {
        Duration length = job.spec().planned(assumed);
        return length.getSeconds() * 1_000_000 + length.getNano() / 1000;
    }

    /// When the run is thought to be over. One that is a little late may be over any time; one that
    /// is later than that is given another minute, then two, then four: the longer it has gone on,
    /// the longer it is likely to, and promises behind it are not moved every minute.
    private long end(Job job) {
        long end = Instants.micros(state.runs().expectedEnd(job));
        long late = now - end;
        if (late < 0) {
            return end;
        }
        return late < STEP ? now : end + 2 * STEP * Long.highestOneBit(late / STEP);
    }

    /// All runs, those over first first.
    public List<Ending> endings() {
        List<Ending> known = endings;
        if (known == null) {
            known = new ArrayList<>();
            for (Job job : state.runs().byExpectedEnd()) {
                known.add(new Ending(end(job), job));
            }
            known.sort(Comparator.comparingLong(Ending::at).thenComparing(e -> e.job.id()));
            endings = known;
        }
        return known;
    }

    /// Every time at which somebody returns something, in order, from now on.
    public long[] times() {
        var times = new TreeSet<Long>();
        for (Ending ending : endings()) {
            times.add(ending.at);
        }
        for (Reservation reservation : promises.values()) {
            times.add(reservation.ends);
        }
        return times.stream().mapToLong(Long::longValue).toArray();
    }

    /// What a job that starts now may use.
    ///
    /// @param heeding the reservations that it must leave alone
    public Window now(Job job, Predicate<Reservation> heeding) {
        return at(now, job, heeding);
    }

    /// What a job that starts at `at` may use. What runs return later counts, except for those that
    /// are taken away on trial.
    public Window at(long at, Job job, Predicate<Reservation> heeding) {
        return new Window(job, at, heeding);
    }

    /// The time during which a job would hold its place, and which promises hide capacity from it
    /// then.
    public final class Window implements ReservedCapacity {
        private final CapacityView view = CapacityView.by(state, this);
        private final BitSet heeded = new BitSet();
        private final BitSet hidden = new BitSet();
        private long begins;
        private long ends;

        /// How many promises the window has come upon, and left behind.
        private int met;

        private int left;

        private Window(Job job, long at, Predicate<Reservation> heeding) {
            begins = at;
            ends = at + length(job);
            for (Reservation reservation : promises.values()) {
                boolean heeds =
                        !reservation.holder.equals(job.id())
                                && (reservation.isRoom || heeding.test(reservation));
                heeded.set(reservation.number, heeds);
                hidden.set(
                        reservation.number,
                        heeds && reservation.begins < ends && reservation.ends > at);
            }
        }

        /// What the job may use during the window, wherever it slides.
        public CapacityView view() {
            return view;
        }

        /// The job starts later; returns the claims that hide capacity, or cease to, by that.
        public List<Claim> slideTo(long at) {
            ends += at - begins;
            begins = at;
            var changed = new ArrayList<Claim>();
            for (List<Reservation> all = byBegin(); met < all.size(); met++) {
                Reservation reservation = all.get(met);
                if (reservation.begins >= ends) {
                    break;
                }
                if (heeded.get(reservation.number)
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
            Reservation reservation = promises.get(claim.id());
            return reservation == null || hidden.get(reservation.number);
        }

        /// Adds up what begins and ends in the order of time.
        @Override
        public long most(List<Claim> claims, NodeId node, ToLongFunction<Slot> of) {
            var changes = new TreeMap<Long, Long>();
            for (Claim claim : claims) {
                long amount = hides(claim) ? amount(claim, node, of) : 0;
                if (amount != 0) {
                    Reservation reservation = promises.get(claim.id());
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
            known = new ArrayList<>(promises.values());
            known.sort(Comparator.comparingLong(reservation -> reservation.begins));
            byBegin = known;
        }
        return known;
    }

    private List<Reservation> byEnd() {
        List<Reservation> known = byEnd;
        if (known == null) {
            known = new ArrayList<>(promises.values());
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

    /// Runs on the nodes of these slots that are thought to be over by then.
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
