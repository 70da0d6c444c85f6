package io.gpusched.server.cell;

import static io.gpusched.server.cell.Submissions.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.cell.Journal;
import io.gpusched.core.cell.MemoryJournal;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.explain.Explainer;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.RefusalCount;
import io.gpusched.core.policy.TurnOutcome;
import io.gpusched.server.view.PublicState;
import io.gpusched.server.view.StateReasons;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Future.State;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

@Timeout(60)
final class CellThreadTest {
    private final AtomicReference<@Nullable Throwable> death = new AtomicReference<>();
    private volatile Duration ahead = Duration.ZERO;
    private final List<Follower.BatchListener> slow = new ArrayList<>();
    private @Nullable CellThread thread;
    private @Nullable Follower follower;

    @AfterEach
    void stop() {
        if (thread != null) {
            thread.close();
        }
        if (follower != null) {
            follower.close();
        }
    }

    /// A cycle that decides nothing is not journaled, but the reasons that it found are shown.
    @Test
    void reasonsFoundWhereNothingChangedAreShown() throws Exception {
        CommandGateway gateway = start(new MemoryJournal());
        JobId id = submitted(gateway.ask(submit("")));
        var refusalCount = new RefusalCount(Refusal.untilFleet("lately", "found out just now"), 1);
        var attempts = new LinkedHashMap<JobId, TurnOutcome>();
        attempts.put(id, new TurnOutcome.Waits(List.of(refusalCount), null));
        follower()
                .nothingChanged(
                        new CycleResult(Instant.EPOCH, List.of(), attempts, CycleResult.Work.NONE));
        var followed = new CountDownLatch(1);
        follower().release(0, followed::countDown);
        followed.await();
        var reasons =
                StateReasons.at(
                        follower().view(), follower().latestTurns(), job -> null, Instant.EPOCH);
        assertThat(reasons.of(Objects.requireNonNull(follower().view().job(id))))
                .contains("found out just now");
    }

    @Test
    void anAnsweredClientSeesItsOwnJob() throws Exception {
        CommandGateway gateway = start(new MemoryJournal());
        Set<Long> numbers = ConcurrentHashMap.newKeySet();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = new ArrayList<Future<?>>();
            for (int i = 0; i < 64; i++) {
                all.add(
                        threads.submit(
                                () -> {
                                    for (int n = 0; n < 50; n++) {
                                        var id = submitted(gateway.ask(submit("")));
                                        numbers.add(id.number());
                                        assertThat(follower().view().job(id)).isNotNull();
                                    }
                                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
        assertThat(numbers).hasSize(64 * 50);
        assertThat(follower().view().count(null, PublicState.PENDING)).isEqualTo(64 * 50);
        assertThat(follower().view().waitingJobs()).isEqualTo(64 * 50);
    }

    @Test
    void aRepeatedSubmissionIsNotAnsweredBeforeTheFirstIsDurable() throws Exception {
        var journal = new HeldJournal();
        CommandGateway gateway = start(journal);
        journal.hold();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = threads.submit(() -> gateway.ask(submit("key")));
            journal.awaitAppend();
            var second = threads.submit(() -> gateway.ask(submit("key")));
            while (gateway.waiting() > 0) {
                Thread.onSpinWait();
            }
            assertThat(first.isDone()).isFalse();
            assertThat(second.isDone()).isFalse();
            journal.release();
            assertThat(submitted(second.get())).isEqualTo(submitted(first.get()));
        }
    }

    @Test
    void whatArrivesWhileABatchIsWrittenBecomesOneBatch() throws Exception {
        var journal = new HeldJournal();
        CommandGateway gateway = start(journal);
        journal.holdTheWriter();
        var answered = new CountDownLatch(101);
        gateway.tell(submit(""), answer -> answered.countDown());
        journal.awaitAppend();
        for (int i = 0; i < 100; i++) {
            gateway.tell(submit(""), answer -> answered.countDown());
        }
        assertThat(gateway.waiting()).as("taken while a batch is written").isEqualTo(100);
        journal.release();
        answered.await();
        assertThat(journal.submissions()).containsExactly(1L, 100L);
    }

    @Test
    void anAppendThatHangsIsRecordedAsADelayOfOrders() throws Exception {
        var journal = new HeldJournal();
        CommandGateway gateway = start(journal);
        journal.holdTheWriter();
        gateway.tell(submit(""), answer -> {});
        journal.awaitAppend();
        ahead = Duration.ofMinutes(6);
        journal.release();
        gateway.ask(submit(""));
        assertThat(journal.facts(Event.OrdersDelayed.class))
                .singleElement()
                .satisfies(late -> assertThat(late.by()).isGreaterThan(Duration.ofMinutes(5)));
    }

    @Test
    void refusalsAreAnswersToo() {
        CommandGateway gateway = start(new MemoryJournal());

        assertThat(gateway.ask(new Command.RemoveTenant(Tenant.DEFAULT, "test")))
                .isInstanceOf(Answer.Rejected.class);
    }

    @Test
    void whatArrivedBeforeTheEndIsStillAnswered() throws Exception {
        CommandGateway gateway = start(new MemoryJournal());
        var answered = new CountDownLatch(100);
        for (int i = 0; i < 100; i++) {
            gateway.tell(submit(""), answer -> answered.countDown());
        }
        thread().close();
        answered.await();

        assertThatThrownBy(() -> gateway.ask(submit("")))
                .isInstanceOfSatisfying(
                        CellUnavailable.class, gone -> assertThat(gone.mayCount()).isFalse());
    }

    @Test
    void aJournalThatRefusesStopsTheThreadAndReportsIt() {
        var journal = new HeldJournal();
        CommandGateway gateway = start(journal);
        journal.fail();

        gateway.tell(submit(""), answer -> {});
        while (death.get() == null) {
            Thread.onSpinWait();
        }

        assertThat(thread().death()).hasMessage("fenced");
        assertThatThrownBy(() -> gateway.ask(submit(""))).isInstanceOf(CellUnavailable.class);
    }

    @Test
    void questionsAreAnsweredByTheFollowersEngine() {
        CommandGateway gateway = start(new MemoryJournal());
        var id = submitted(gateway.ask(submit("")));

        var why = follower().ask(engine -> new Explainer(engine, Instant.now()).explain(id));

        assertThat(why.job()).isEqualTo(id);
        assertThat(why.summary()).isNotEmpty();
    }

    @Test
    void aLongQuestionDelaysNoAcknowledgement() throws Exception {
        CommandGateway gateway = start(new MemoryJournal());
        var begun = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first =
                    threads.submit(
                            () ->
                                    follower()
                                            .ask(
                                                    engine -> {
                                                        begun.countDown();
                                                        return await(mayEnd);
                                                    }));
            begun.await();
            JobId job = submitted(gateway.ask(submit("")));
            assertThat(follower().view().job(job)).isNotNull();
            var second =
                    threads.submit(() -> follower().ask(engine -> engine.state().jobs().last()));
            assertThat(first.isDone()).isFalse();
            mayEnd.countDown();
            assertThat(first.get()).isTrue();
            assertThat(second.get())
                    .as("what its caller had read is applied first")
                    .isEqualTo(job.number());
        }
    }

    @Test
    void aSnapshotThatTakesLongDelaysNoAcknowledgement() throws Exception {
        var mayEnd = new CountDownLatch(1);
        slow.add((batch, cycleResult, engine) -> await(mayEnd));
        CommandGateway gateway = start(new MemoryJournal());
        for (int i = 0; i < 10; i++) {
            assertThat(submitted(gateway.ask(submit("")))).isNotNull();
        }
        mayEnd.countDown();
    }

    @Test
    void tooManyQuestionsAtOnceAreTurnedAway() throws Exception {
        start(new MemoryJournal());
        var mayEnd = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = new ArrayList<Future<Boolean>>();
            for (int i = 0; i < 100; i++) {
                all.add(threads.submit(() -> follower().ask(engine -> await(mayEnd))));
            }
            long turnedAway = 0;
            while (turnedAway < 100 - QueryFollower.MOST_QUERIES) {
                turnedAway = all.stream().filter(one -> one.state() == State.FAILED).count();
            }
            mayEnd.countDown();
            for (Future<Boolean> one : all) {
                if (one.state() == State.FAILED) {
                    assertThat(one.exceptionNow()).isInstanceOf(CellUnavailable.class);
                } else {
                    assertThat(one.get()).isTrue();
                }
            }
        }
    }

    private static boolean await(CountDownLatch latch) {
        try {
            latch.await();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// A journal whose appends can be made to wait or to fail.
    private static final class HeldJournal implements Journal {
        private final MemoryJournal memory = new MemoryJournal();
        private final CountDownLatch arrived = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);
        private volatile boolean held;
        private volatile boolean writerHeld;
        private volatile boolean failing;

        void hold() {
            held = true;
        }

        /// Blocks the next thread that appends, as the journals of `store` do until the batch is on
        /// disk.
        void holdTheWriter() {
            writerHeld = true;
        }

        <T extends Event> List<T> facts(Class<T> kind) {
            var found = new ArrayList<T>();
            memory.replay(
                    0,
                    batch ->
                            batch.facts().stream()
                                    .filter(kind::isInstance)
                                    .map(kind::cast)
                                    .forEach(found::add));
            return found;
        }

        /// How many submissions there are in each batch that has any.
        List<Long> submissions() {
            var counts = new ArrayList<Long>();
            memory.replay(
                    0,
                    batch ->
                            counts.add(
                                    batch.facts().stream()
                                            .filter(Event.JobSubmitted.class::isInstance)
                                            .count()));
            counts.removeIf(count -> count == 0);
            return counts;
        }

        void fail() {
            failing = true;
        }

        void release() {
            released.countDown();
        }

        void awaitAppend() throws InterruptedException {
            arrived.await();
        }

        @Override
        public void append(Batch batch, Runnable durable) {
            if (failing) {
                throw new IllegalStateException("fenced");
            }
            if (writerHeld) {
                writerHeld = false;
                arrived.countDown();
                CellThreadTest.await(released);
            }
            if (!held) {
                memory.append(batch, durable);
                return;
            }
            held = false;
            memory.append(batch, () -> {});
            Thread.ofVirtual()
                    .start(
                            () -> {
                                arrived.countDown();
                                try {
                                    released.await();
                                } catch (InterruptedException e) {
                                    Thread.currentThread().interrupt();
                                }
                                durable.run();
                            });
        }

        @Override
        public void replay(long after, Consumer<Batch> into) {
            memory.replay(after, into);
        }
    }

    private static final class Unmeasured implements CellThread.CycleListener {
        @Override
        public void took(int inputs, long nanos) {}

        @Override
        public void appended(long nanos) {}
    }

    private CommandGateway start(Journal journal) {
        var policy =
                Objects.requireNonNull(Policies.named("priority", EngineSettings.DEFAULT.policy()));
        var queries =
                new QueryFollower(
                        () -> new Engine(policy, EngineSettings.DEFAULT), slow, death::set);
        var made =
                new Follower(
                        new Engine(policy, EngineSettings.DEFAULT), queries, List.of(), death::set);
        var timed = new TimedJournal(journal);
        var cell =
                new Cell(new Engine(policy, EngineSettings.DEFAULT), timed, assignment -> {}, made);
        var gateway = new CommandGateway();
        var owner =
                new CellThread(
                        gateway,
                        cell,
                        timed,
                        made,
                        () -> InstantSource.system().instant().plus(ahead),
                        Duration.ofMillis(100),
                        new Unmeasured(),
                        death::set);
        follower = made;
        thread = owner;
        made.start();
        owner.start();
        return gateway;
    }

    private CellThread thread() {
        return Objects.requireNonNull(thread);
    }

    private Follower follower() {
        return Objects.requireNonNull(follower);
    }

    private static JobId submitted(Answer answer) {
        return Objects.requireNonNull(((Answer.Accepted) answer).job());
    }
}
