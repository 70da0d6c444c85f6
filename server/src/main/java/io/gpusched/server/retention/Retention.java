package io.gpusched.server.retention;

import io.gpusched.core.event.Command;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.server.cell.CellUnavailable;
import io.gpusched.server.config.RetentionSection;
import io.gpusched.server.view.NodeRow;
import io.gpusched.server.view.View;
import io.gpusched.store.JournalFile;
import io.gpusched.store.JournalReader;
import io.gpusched.store.Snapshots;
import io.gpusched.store.SqlJournal;
import io.gpusched.store.StoreException;
import io.gpusched.store.Tables;
import io.gpusched.wire.codec.Snapshot;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Keeps disk and memory bounded: every hour it prunes the journal, moves old jobs from the tables
/// to files, and removes nodes that have been lost for long.
///
/// The journal is pruned only up to a snapshot that is durable and complete. To have one of the
/// right age, retention keeps one snapshot until it is as old as the configured age of the journal,
/// prunes up to it, and then keeps the newest one. The journal therefore goes back between once and
/// twice as far as configured, plus the distance of two snapshots.
///
/// A step that fails is logged and repeated an hour later; the scheduler goes on.
public final class Retention implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);
    private static final Duration EVERY = Duration.ofHours(1);
    private static final Duration LONGEST_STEP = Duration.ofSeconds(10);

    /// The stores that are pruned.
    public record Stores(SqlJournal journal, Snapshots snapshots, Tables tables) {}

    private final RetentionSection rules;
    private final Stores stores;
    private final Consumer<Command> cell;
    private final Supplier<View> views;
    private final InstantSource clock;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread =
            Thread.ofPlatform().name("retention").daemon().unstarted(this::run);

    /// @param cell sends a command to the cell
    public Retention(
            RetentionSection rules,
            Stores stores,
            Consumer<Command> cell,
            Supplier<View> views,
            InstantSource clock) {
        this.rules = rules;
        this.stores = stores;
        this.cell = cell;
        this.views = views;
        this.clock = clock;
    }

    public void start() {
        thread.start();
    }

    /// Waits for the step that runs: it must not open the stores again after they are closed.
    @Override
    public void close() {
        closing.countDown();
        try {
            thread.join(LONGEST_STEP);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            do {
                pass();
            } while (!closing.await(EVERY.toSeconds(), TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Does once everything that is due now.
    void pass() {
        Instant now = clock.instant();
        step("the journal was not pruned", () -> pruneJournal(now));
        step("old jobs stay in the tables", () -> moveJobs(now));
        step("lost nodes stay listed", () -> removeLostNodes(now));
    }

    private void step(String otherwise, Runnable work) {
        try {
            if (closing.getCount() > 0) {
                work.run();
            }
        } catch (StoreException | UncheckedIOException | CellUnavailable e) {
            LOG.warn("{}, tried again in an hour: {}", otherwise, e.getMessage());
        }
    }

    private void pruneJournal(Instant now) {
        if (rules.journal().isZero()) {
            return;
        }
        Snapshots snapshots = stores.snapshots;
        Instant held = snapshots.heldSince();
        if (held == null) {
            snapshots.hold();
            return;
        }
        if (held.isAfter(now.minus(rules.journal()))
                || stores.tables.watermark() < snapshots.heldBatch()) {
            return;
        }
        try (JournalReader reader = stores.journal.reader()) {
            Snapshot beginning = snapshots.held(reader);
            if (beginning != null && beginning.image().batch() > reader.base()) {
                archive(reader, beginning.image().batch());
                long deleted = stores.journal.prune(beginning);
                LOG.info(
                        "deleted {} batches of the journal, which now begins after batch {}; they"
                                + " are in {}",
                        deleted,
                        beginning.image().batch(),
                        rules.archive());
            }
        }
        snapshots.letGo();
        snapshots.hold();
    }

    /// Writes the batches that will be deleted to a file, which continues the file before it.
    private void archive(JournalReader reader, long upTo) {
        long base = reader.base();
        Path file =
                rules.archive().resolve("journal-%012d-%012d.jsonl.gz".formatted(base + 1, upTo));
        try {
            Files.createDirectories(rules.archive());
            Files.deleteIfExists(file); // Of a start that ended before the batches were deleted.
        } catch (IOException e) {
            throw new UncheckedIOException("preparing " + file + ": " + e.getMessage(), e);
        }
        try (var writer = JournalFile.Writer.create(file)) {
            reader.read(base, upTo - base, writer::add);
            writer.finish();
        }
    }

    private void moveJobs(Instant now) {
        if (rules.jobs().isZero()) {
            return;
        }
        long moved = stores.tables.prune(now.minus(rules.jobs()), rules.archive());
        if (moved > 0) {
            LOG.info("moved {} ended jobs from the tables to {}", moved, rules.archive());
        }
    }

    private void removeLostNodes(Instant now) {
        if (rules.lostNodes().isZero()) {
            return;
        }
        View view = views.get();
        for (NodeId node : stores.tables.silentSince(now.minus(rules.lostNodes()))) {
            NodeRow row = view.nodes().row(node);
            if (row != null && row.status().reach() == NodeStatus.Reach.LOST) {
                cell.accept(new Command.RemoveNode(node, "retention"));
                LOG.info(
                        "node {} was lost for {} days and is removed",
                        node,
                        rules.lostNodes().toDays());
            }
        }
    }
}
