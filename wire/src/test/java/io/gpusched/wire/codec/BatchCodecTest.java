package io.gpusched.wire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.RunTotals;
import io.gpusched.wire.proto.JournalProto;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;

final class BatchCodecTest {
    private static final int SEEDS = 100;
    private static final Instant AT = Instant.parse("2025-01-01T00:00:00Z");

    private final BatchCodec codec = new BatchCodec();

    @Test
    void everyKindOfEventComesBackEqual() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Batch batch = new RandomFacts(seed).batchOfEveryKind(seed + 1);
            assertThat(codec.decode(codec.encode(batch))).as("seed %s", seed).isEqualTo(batch);
        }
    }

    @Test
    void jobsComeBackEqualInEveryPhase() {
        var jobs = JobCodec.create();
        for (long seed = 0; seed < SEEDS; seed++) {
            Job job = new RandomFacts(seed).any(Job.class);
            assertThat(jobs.decode(jobs.encode(job))).as("seed %s", seed).isEqualTo(job);
        }
    }

    @Test
    void alikeJobsShareTheirPartsWhenRead() {
        JobSpec spec = shortSpec();
        Batch batch = batch(submitted(1, spec), submitted(2, spec));

        Batch first = codec.decode(codec.encode(batch));
        Batch second = codec.decode(codec.encode(batch));

        JobSpec one = ((Event.JobSubmitted) first.facts().get(0)).spec();
        JobSpec two = ((Event.JobSubmitted) second.facts().get(1)).spec();
        assertThat(one.roles()).isSameAs(two.roles());
        assertThat(one.payload()).isSameAs(two.payload());
        assertThat(one.labels()).isSameAs(two.labels());
        assertThat(one.tenant()).isSameAs(two.tenant());
    }

    /// Long parts are not shared.
    private JobSpec shortSpec() {
        for (long seed = 7; seed < SEEDS; seed++) {
            JobSpec spec = new RandomFacts(seed).any(JobSpec.class);
            if (codec.encode(batch(submitted(1, spec))).length < 1_000) {
                return spec;
            }
        }
        throw new AssertionError("all of " + SEEDS + " random jobs are long");
    }

    @Test
    void jobsThatWereSubmittedTogetherShareTheirPhase() {
        JobSpec spec = new RandomFacts(7).any(JobSpec.class);
        Event later =
                new Event.JobSubmitted(AT.plusSeconds(1), new JobId(3), spec, "", 0, false, "me");
        Batch read =
                codec.decode(codec.encode(batch(submitted(1, spec), submitted(2, spec), later)));

        assertThat(entering(read, 1).phase()).isSameAs(entering(read, 0).phase());
        assertThat(entering(read, 2).phase())
                .isEqualTo(Phase.Waiting.fromSubmission(AT.plusSeconds(1)));
    }

    private static Job entering(Batch batch, int index) {
        return ((Event.JobSubmitted) batch.facts().get(index)).entering();
    }

    @Test
    void aJobToWhichNothingHappenedSharesItsTotals() {
        var jobs = JobCodec.create();
        JobSpec spec = new RandomFacts(7).any(JobSpec.class);
        Job read = jobs.decode(jobs.encode(Job.submitted(new JobId(1), spec, AT)));
        assertThat(read.totals()).isSameAs(RunTotals.NONE);
    }

    @Test
    void aTimeFinerThanMicrosecondsIsOurFault() {
        Batch batch = batch(new Event.JobHeld(AT.plusNanos(1), new JobId(1), "why"));
        assertThatThrownBy(() -> codec.encode(batch))
                .isInstanceOf(Check.Broken.class)
                .hasMessageContaining("whole microseconds");
    }

    @Test
    void theEventsOfOneJobAreThoseThatAWholeReadFinds() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Batch batch = new RandomFacts(seed).batchOfEveryKind(seed + 1);
            byte[] bytes = codec.encode(batch);
            var byJob = new LinkedHashMap<JobId, List<Event>>();
            for (Event event : batch.facts()) {
                byJob.computeIfAbsent(about(event), id -> new ArrayList<>()).add(event);
            }
            for (Event event : batch.decided()) {
                byJob.computeIfAbsent(about(event), id -> new ArrayList<>()).add(event);
            }
            byJob.remove(NONE);
            assertThat(byJob).isNotEmpty();
            byJob.forEach(
                    (id, events) ->
                            assertThat(codec.eventsOf(id, bytes)).as("%s", id).isEqualTo(events));
        }
    }

    private static final JobId NONE = new JobId(Long.MAX_VALUE);

    private static JobId about(Event event) {
        return switch (event) {
            case Event.JobSubmitted e -> e.job();
            case Event.JobUpdated e -> e.job();
            case Event.JobHeld e -> e.job();
            case Event.JobReleased e -> e.job();
            case Event.AttemptPlaced e -> e.attempt().job();
            case Event.TaskChanged e -> e.attempt().job();
            case Event.TaskIdle e -> e.attempt().job();
            case Event.AttemptRunning e -> e.attempt().job();
            case Event.AttemptStopping e -> e.attempt().job();
            case Event.StartRefused e -> e.attempt().job();
            case Event.AvoidanceEnded e -> e.job();
            case Event.ReplicaDraining e -> e.job();
            case Event.CapacityChosen e -> e.job();
            case Event.JobRequeued e -> e.job();
            case Event.JobEnded e -> e.job();
            default -> NONE;
        };
    }

    /// Events that cannot be decoded do no harm to the job that they are not about: they are
    /// skipped, however many there are.
    @Test
    void theEventsOfOtherJobsAreNotDecoded() throws Exception {
        int others = 10_000;
        var events = new Event[others + 1];
        for (int other = 0; other < others; other++) {
            events[other] = new Event.JobHeld(AT, new JobId(other + 2), "why");
        }
        events[others] = new Event.JobHeld(AT, new JobId(1), "why");
        var message = JournalProto.Batch.parseFrom(codec.encode(batch(events))).toBuilder();
        for (int other = 0; other < others; other++) {
            message.getFactsBuilder(other).setVersion(9);
        }
        byte[] bytes = message.build().toByteArray();
        assertThatThrownBy(() -> codec.decode(bytes)).isInstanceOf(UnreadableException.class);
        assertThat(codec.eventsOf(new JobId(1), bytes)).containsExactly(events[others]);
        assertThatThrownBy(() -> codec.eventsOf(new JobId(2), bytes))
                .isInstanceOf(UnreadableException.class);
    }

    @Test
    void anEventOfANewerReleaseIsRefused() {
        byte[] newer = {42, 2, 8, 9}; // a fact with version 9
        assertThatThrownBy(() -> codec.decode(newer))
                .isInstanceOf(UnreadableException.class)
                .hasMessageContaining("version of an event, found 9")
                .hasMessageContaining("newer release");
    }

    @Test
    void anythingElseIsUnreadableAndNothingWorse() {
        for (long seed = 0; seed < SEEDS; seed++) {
            var random = new Random(seed);
            byte[] bytes = codec.encode(new RandomFacts(seed).batchOfEveryKind(1));
            for (int tries = 0; tries < 20; tries++) {
                readOrRefuse(damaged(bytes, random), seed);
            }
            byte[] noise = new byte[random.nextInt(200)];
            random.nextBytes(noise);
            readOrRefuse(noise, seed);
        }
    }

    private void readOrRefuse(byte[] bytes, long seed) {
        try {
            codec.decode(bytes);
        } catch (UnreadableException refused) {
            assertThat(refused).as("seed %s", seed).hasMessageMatching("(?s).{10,}");
        } catch (RuntimeException other) {
            throw new AssertionError("seed " + seed, other);
        }
    }

    private static byte[] damaged(byte[] bytes, Random random) {
        byte[] damaged = bytes.clone();
        for (int i = random.nextInt(4); i >= 0; i--) {
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
        }
        return random.nextInt(4) == 0
                ? Arrays.copyOf(damaged, random.nextInt(damaged.length))
                : damaged;
    }

    private static Event submitted(long job, JobSpec spec) {
        return new Event.JobSubmitted(AT, new JobId(job), spec, "", 0, false, "me");
    }

    private static Batch batch(Event... facts) {
        return new Batch(1, 1, AT, List.of(facts), List.of(), 0);
    }
}
