package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.ClaimHolder;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Node;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;

/// Random days under `fifo-conservative`, on which nobody fails and nobody overruns.
final class ConservativePropertyTest {
    private static final int SEEDS = 40;
    private static final int JOBS = 40;

    /// A job that is submitted so many seconds after midnight and ends so many after its start.
    private record Ask(long at, JobBuilder job, int gpus, long limit, long runs) {}

    /// What came of it, in seconds after midnight, by the order of submission.
    private record Day(List<Long> promised, List<Long> started) {}

    private interface Property {
        void hold(Random random);
    }

    private static void check(Property property) {
        Long only = Long.getLong("seed");
        for (long seed = only == null ? 0 : only;
                seed < (only == null ? SEEDS : only + 1);
                seed++) {
            try {
                property.hold(new Random(seed));
            } catch (RuntimeException | AssertionError failed) {
                throw new AssertionError("seed " + seed + ": " + failed.getMessage(), failed);
            }
        }
    }

    @Test
    void startsAreThoseOfTheTextbook() {
        check(
                random -> {
                    int gpus = 1 + random.nextInt(8);
                    List<Ask> asks = asks(random, gpus);
                    var scene = new Scene("fifo-conservative");
                    scene.join(aNode("n1").gpus(gpus).build());
                    Day day = live(scene, asks);
                    assertThat(day.started).isEqualTo(textbook(asks, gpus));
                    assertThat(day.promised).as("first promises").isEqualTo(day.started);
                });
    }

    @Test
    void nobodyStartsLaterThanFirstPromisedWhenOthersEndEarly() {
        check(
                random -> {
                    var scene = new Scene("fifo-conservative");
                    var nodes = new Node[1 + random.nextInt(4)];
                    for (int i = 0; i < nodes.length; i++) {
                        nodes[i] = aNode("n" + i).gpus(4).cores(8 + random.nextInt(9)).build();
                    }
                    scene.join(nodes);
                    Day day = live(scene, variedAsks(random, nodes.length));
                    for (int job = 0; job < day.started.size(); job++) {
                        assertThat(day.started.get(job))
                                .as("start of job %s", job + 1)
                                .isLessThanOrEqualTo(day.promised.get(job));
                    }
                });
    }

    private static List<Ask> asks(Random random, int most) {
        var asks = new ArrayList<Ask>();
        long at = 0;
        for (int i = 0; i < JOBS; i++) {
            at += random.nextInt(4) == 0 ? 0 : random.nextInt(60) * 10L;
            int gpus = 1 + random.nextInt(random.nextBoolean() ? most : Math.min(2, most));
            long limit = 30L * (1 + random.nextInt(60));
            JobBuilder job = aJob().gpus(gpus).cores(0).limit(Duration.ofSeconds(limit));
            asks.add(new Ask(at, job, gpus, limit, limit));
        }
        return asks;
    }

    /// Gangs, cores and parts of GPUs as well, and half of the jobs end early.
    private static List<Ask> variedAsks(Random random, int nodes) {
        var varied = new ArrayList<Ask>();
        for (Ask ask : asks(random, 4)) {
            ask.job.cores(random.nextInt(5));
            switch (random.nextInt(5)) {
                case 0 -> ask.job.tasks(1 + random.nextInt(nodes));
                case 1 -> ask.job.gpus(0).cores(1 + random.nextInt(8));
                case 2 -> ask.job.asking(GpuRequest.shares(100 + random.nextInt(800), 0, 1));
                default -> {}
            }
            long runs = random.nextBoolean() ? ask.limit : 1 + random.nextLong(ask.limit);
            varied.add(new Ask(ask.at, ask.job, ask.gpus, ask.limit, runs));
        }
        return varied;
    }

    /// Lives through the day: who ends at a time makes way before somebody comes, one by one.
    private static Day live(Scene scene, List<Ask> asks) {
        Instant midnight = scene.now();
        Map<JobId, Long> promised = new LinkedHashMap<>();
        Map<JobId, Long> started = new LinkedHashMap<>();
        Map<JobId, Long> ends = new LinkedHashMap<>();
        List<JobId> jobs = new ArrayList<>();
        long now = 0;
        while (started.size() < asks.size() || !ends.isEmpty()) {
            long next = jobs.size() < asks.size() ? asks.get(jobs.size()).at : Long.MAX_VALUE;
            for (long end : ends.values()) {
                next = Math.min(next, end);
            }
            assertThat(next).as("nobody runs or comes, and somebody waits").isLessThan(1L << 40);
            scene.pass(Duration.ofSeconds(next - now));
            now = next;
            JobId over = first(ends, now);
            if (over != null) {
                ends.remove(over);
                scene.completes(over);
            } else {
                jobs.add(scene.submit(asks.get(jobs.size()).job));
            }
            for (int i = 0; i < jobs.size(); i++) {
                JobId job = jobs.get(i);
                if (!started.containsKey(job) && scene.phase(job).equals("Starting")) {
                    scene.runs(job);
                    started.put(job, now);
                    ends.put(job, now + asks.get(i).runs);
                    promised.putIfAbsent(job, now);
                }
            }
            notePromises(scene, midnight, promised);
            checkLine(scene, jobs, promised);
        }
        return new Day(inOrder(jobs, promised), inOrder(jobs, started));
    }

    private static @Nullable JobId first(Map<JobId, Long> ends, long now) {
        for (var end : ends.entrySet()) {
            if (end.getValue() == now) {
                return end.getKey();
            }
        }
        return null;
    }

    private static void notePromises(Scene scene, Instant midnight, Map<JobId, Long> promised) {
        for (Claim claim : scene.engine().state().claims()) {
            if (claim.claimHolder() instanceof ClaimHolder.OfJob of) {
                promised.putIfAbsent(
                        of.job(), Duration.between(midnight, claim.from()).toSeconds());
            }
        }
    }

    /// Everybody who waits has a promise, and who came last has a reason to wait.
    private static void checkLine(Scene scene, List<JobId> jobs, Map<JobId, Long> promised) {
        long waiting = jobs.stream().filter(job -> scene.job(job).waiting()).count();
        assertThat(promised.keySet()).as("who was promised a start").containsAll(jobs);
        assertThat(scene.engine().state().claims()).hasSize((int) waiting);
        if (!jobs.isEmpty() && scene.job(jobs.getLast()).waiting()) {
            JobId last = jobs.getLast();
            assertThat(scene.explainer().why(last)).as("why %s waits", last).isNotEmpty();
        }
    }

    private static List<Long> inOrder(List<JobId> jobs, Map<JobId, Long> times) {
        return jobs.stream().map(job -> Objects.requireNonNull(times.get(job))).toList();
    }

    /// Conservative backfill in its simplest form: whoever comes takes the earliest time at which
    /// enough GPUs are free for as long as it needs them, and of those the first.
    private static List<Long> textbook(List<Ask> asks, int gpus) {
        record Held(long from, long to, long mask) {}
        var held = new ArrayList<Held>();
        var starts = new ArrayList<Long>();
        for (Ask ask : asks) {
            var times = new TreeSet<Long>();
            times.add(ask.at);
            held.forEach(one -> times.add(Math.max(ask.at, one.to)));
            for (long from : times) {
                long to = from + ask.limit;
                long mask = 0;
                for (int gpu = 0; gpu < gpus && Long.bitCount(mask) < ask.gpus; gpu++) {
                    long bit = 1L << gpu;
                    boolean busy =
                            held.stream()
                                    .anyMatch(
                                            one ->
                                                    (one.mask & bit) != 0
                                                            && one.from < to
                                                            && from < one.to);
                    mask |= busy ? 0 : bit;
                }
                if (Long.bitCount(mask) == ask.gpus) {
                    held.add(new Held(from, to, mask));
                    starts.add(from);
                    break;
                }
            }
        }
        return starts;
    }
}
