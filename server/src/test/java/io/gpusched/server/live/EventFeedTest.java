package io.gpusched.server.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.server.cell.Liveness;
import io.gpusched.server.view.PastJobs;
import io.gpusched.store.Database;
import io.gpusched.store.JobHistory;
import io.gpusched.store.SqlJournal;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

/// A small ring over a real journal.
@Timeout(60)
final class EventFeedTest {
    private static final Instant NOW = Instant.parse("2026-01-05T12:00:00Z");
    private static final int RING = 8;

    @TempDir Path folder;

    private SqlJournal journal;
    private Engine engine;
    private EventFeed feed;
    private long term;

    @BeforeEach
    void start() {
        var settings = EngineSettings.DEFAULT;
        var policy = Objects.requireNonNull(Policies.named("priority", settings.policy()));
        var database = new Database.Sqlite(folder);
        engine = new Engine(policy, settings);
        journal = SqlJournal.open(database, new Liveness(death -> {}));
        term = journal.raiseTerm();
        feed = feed(0);
    }

    private EventFeed feed(long from) {
        var ring = new EventRing(RING, Long.MAX_VALUE / 2, EventId.endOf(from));
        var made = new EventFeed(engine.state(), from, "", ring);
        var past = new PastJobs(new JobHistory(new Database.Sqlite(folder)), () -> 0);
        made.start(new JournalEvents(journal, job -> null, past));
        return made;
    }

    @AfterEach
    void stop() {
        feed.close();
        journal.close();
    }

    /// A batch in which the tenant of this name is put.
    private void happen(long number, String tenant) {
        happen(number, List.of(put(tenant)));
    }

    private static Event put(String tenant) {
        return new Event.TenantPut(NOW, Tenant.unlimited(new TenantId(tenant)), "test");
    }

    private void happen(long number, List<Event> events) {
        var batch = new Batch(number, term, NOW, events, List.of(), 0);
        if (number == journal.head() + 1) {
            journal.append(batch, () -> {});
        }
        feed.add(batch, engine.state());
        feed.published();
    }

    private static List<String> taken(Subscription from, int count) throws Exception {
        var ids = new ArrayList<String>();
        while (ids.size() < count) {
            switch (from.next(Duration.ofSeconds(30))) {
                case Delivery.Events events ->
                        events.events().forEach(event -> ids.add(event.id().toString()));
                case Delivery other -> throw new AssertionError(other + " after " + ids);
            }
        }
        return ids;
    }

    private static List<String> ids(int from, int to) {
        return IntStream.rangeClosed(from, to).mapToObj(i -> i + "-0").toList();
    }

    @Test
    void aListenerThatIsTooSlowForTheRingReadsTheJournalAndComesBack() throws Exception {
        try (Subscription slow = feed.subscribe(Selection.all(null), "a", null)) {
            for (int i = 1; i <= 50; i++) {
                happen(i, "t" + i);
            }
            assertThat(taken(slow, 50)).isEqualTo(ids(1, 50));
            happen(51, "t51");
            assertThat(taken(slow, 1)).containsExactly("51-0");
        }
        assertThat(feed.resyncs()).isZero();
        assertThat(feed.sent()).isEqualTo(51);
    }

    @Test
    void oneThatIsTooFarBehindIsToldToReadTheStateAgain() throws Exception {
        try (Subscription slow = feed.subscribe(Selection.all(null), "a", null)) {
            for (long i = 1; i <= RING + 1; i++) {
                happen(i * (Subscription.MOST_BEHIND + 2), "t");
            }
            Delivery first = slow.next(Duration.ofSeconds(30));
            long newest = (RING + 1) * (Subscription.MOST_BEHIND + 2);
            assertThat(first)
                    .isEqualTo(
                            new Delivery.Resync(
                                    "more than 20000 batches were missed", new EventId(newest, 0)));
            happen(newest + 1, "next");
            assertThat(taken(slow, 1)).containsExactly((newest + 1) + "-0");
        }
        assertThat(feed.resyncs()).isEqualTo(1);
    }

    @Test
    void aListenerContinuesInAnyPlaceOfTheJournalOrTheRing() throws Exception {
        for (int i = 1; i <= 20; i++) {
            happen(i, "t" + i);
        }
        for (int after = 0; after <= 20; after++) {
            try (Subscription one =
                    feed.subscribe(Selection.all(null), "a", new EventId(after, 0))) {
                assertThat(taken(one, 20 - after)).isEqualTo(ids(after + 1, 20));
            }
        }
        assertThat(feed.newest(Selection.all(null), 15).stream().map(e -> e.id().toString()))
                .isEqualTo(ids(6, 20));
        feed.close();
        feed = feed(20);
        assertThat(feed.newest(Selection.all(null), 15).stream().map(e -> e.id().toString()))
                .isEqualTo(ids(6, 20));
    }

    @Test
    void aListenerThatCatchesUpHoldsFewEventsAtATime() throws Exception {
        List<Event> hundred = IntStream.range(0, 100).mapToObj(i -> put("t" + i)).toList();
        for (int i = 1; i <= 40; i++) {
            happen(i, hundred);
        }
        int all = 0;
        try (Subscription slow = feed.subscribe(Selection.all(null), "a", EventId.endOf(0))) {
            while (all < 4000) {
                Delivery delivery = slow.next(Duration.ofSeconds(30));
                int size = ((Delivery.Events) delivery).events().size();
                assertThat(size).isBetween(1, 600);
                all += size;
            }
        }
        assertThat(all).isEqualTo(4000);
    }

    @Test
    void theWayFromTheJournalToTheRingKeepsWhatOnlyTheRingHas() throws Exception {
        for (int i = 1; i <= 20; i++) {
            happen(i, "t" + i);
            if (i >= 17) {
                feed.publish(alert("alert " + i, false, "t"));
            }
        }
        for (int after = 1; after <= 16; after++) {
            try (Subscription one =
                    feed.subscribe(Selection.all(null), "a", new EventId(after, 0))) {
                List<String> ids = taken(one, 20 - after + 4);
                assertThat(ids).isSortedAccordingTo(Comparator.comparing(EventFeedTest::id));
                assertThat(ids).containsAll(ids(after + 1, 20)).doesNotHaveDuplicates();
                assertThat(ids.getLast()).startsWith("20-10000000");
            }
        }
    }

    private static EventId id(String text) {
        return Objects.requireNonNull(EventId.parse(text));
    }

    @Test
    void theJournalDoesNotGuessWhetherANodeIsBackOrUncordoned() throws Exception {
        happen(1, List.of(changed(NodeStatus.READY)));
        happen(2, List.of(changed(NodeStatus.READY.with(NodeStatus.Reach.UNREACHABLE))));
        happen(3, List.of(changed(NodeStatus.READY)));
        for (int i = 4; i <= 20; i++) {
            happen(i, "t" + i);
        }
        var nodes = new Selection(null, Set.of(), Set.of(), Set.of(new NodeId("n")), Set.of());
        try (Subscription one = feed.subscribe(nodes, "a", new EventId(0, 0))) {
            Delivery delivery = one.next(Duration.ofSeconds(30));
            assertThat(((Delivery.Events) delivery).events().stream().map(LiveEvent::kind))
                    .containsExactly(
                            EventKind.NODE_CHANGED,
                            EventKind.NODE_UNREACHABLE,
                            EventKind.NODE_BACK);
            assertThat(((Delivery.Events) delivery).events().getFirst().message(true))
                    .isEqualTo("node n is reachable and takes new jobs: test");
        }
    }

    private static Event changed(NodeStatus status) {
        return new Event.NodeChanged(NOW, new NodeId("n"), status, "test");
    }

    @Test
    void aTenantReceivesItsOwnEventsHoweverManyOthersThereAre() throws Exception {
        var mine = new TenantId("mine");
        try (Subscription own = feed.subscribe(Selection.all(mine), "a", null)) {
            for (int i = 1; i <= 100; i++) {
                happen(i, i % 10 == 0 ? "mine" : "others");
            }
            assertThat(taken(own, 10))
                    .isEqualTo(IntStream.rangeClosed(1, 10).mapToObj(i -> i * 10 + "-0").toList());
        }
    }

    @Test
    void alertsFollowTheNewestBatchAndKeepTheirOrder() throws Exception {
        try (Subscription all = feed.subscribe(Selection.all(null), "a", null);
                Subscription other =
                        feed.subscribe(Selection.all(new TenantId("other")), "b", null)) {
            happen(1, "t");
            feed.publish(alert("secret", false, "t"));
            feed.publish(alert("own", true, "other"));
            happen(2, "t");
            List<String> ids = taken(all, 4);
            assertThat(ids).startsWith("1-0").endsWith("2-0");
            assertThat(ids.subList(1, 3)).allMatch(id -> id.startsWith("1-10000000"));
            Delivery delivery = other.next(Duration.ofSeconds(30));
            assertThat(((Delivery.Events) delivery).events())
                    .singleElement()
                    .satisfies(
                            event -> {
                                assertThat(event.message(false)).isEqualTo("own");
                                assertThat(event.kind()).isEqualTo(EventKind.ALERT_RESOLVED);
                            });
        }
    }

    private static AlertNews alert(String message, boolean isResolved, String tenant) {
        return new AlertNews(NOW, isResolved, null, new TenantId(tenant), null, message);
    }

    @Test
    void aListenerThatWaitsIsWokenByAnEventANudgeAndTheEnd() throws Exception {
        try (Subscription one = feed.subscribe(Selection.all(null), "a", null)) {
            assertThat(one.next(Duration.ofMillis(1))).isInstanceOf(Delivery.Quiet.class);
            one.nudge();
            assertThat(one.next(Duration.ofSeconds(30))).isInstanceOf(Delivery.Quiet.class);
            var happening = Thread.ofVirtual().start(() -> happen(1, "t"));
            assertThat(taken(one, 1)).containsExactly("1-0");
            happening.join();
            assertThat(feed.listening()).isEqualTo(1);
            feed.close();
            assertThat(one.next(Duration.ofSeconds(30)))
                    .isEqualTo(new Delivery.Closed("the server is shutting down"));
        }
        assertThat(feed.listening()).isZero();
    }
}
