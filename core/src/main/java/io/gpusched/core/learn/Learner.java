package io.gpusched.core.learn;

import io.gpusched.core.event.Event;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.Digest;
import io.gpusched.core.state.ClusterView;

/// Everything that the scheduler learns from events. The engine owns it and applies events to it,
/// as it does to the ledger; nothing else changes it, and equal events lead to equal learners.
///
/// It learns from facts only, never from decisions of a cycle: those events reach the ledger while
/// the cycle is still trying.
///
/// [#digest] is checked against the journal batch by batch, so its computation can never change. A
/// model whose algorithm must stay free to change belongs beside the observation table: in the
/// image, with a version, and out of the digest.
public final class Learner {
    /// How many pairs are kept by default.
    public static final long RETENTION = 1000;

    private final ObservationTable book;
    private final RuntimeModel model;
    private final boolean learns;
    private ExplorationCounts explorationCounts;

    public Learner() {
        this(LearnerImage.NOTHING);
    }

    private Learner(LearnerImage image) {
        this(
                image,
                image.model().version() == RuntimeModel.VERSION
                        ? RuntimeModel.restored(image.model())
                        : new RuntimeModel(),
                true);
    }

    private Learner(LearnerImage image, RuntimeModel model, boolean learns) {
        book = new ObservationTable(image.retention());
        book.imported(image.pairs(), image.slowdowns());
        explorationCounts = image.explorationCounts();
        this.model = model;
        this.learns = learns;
    }

    /// A learner that continues from the image.
    public static Learner restored(LearnerImage image) {
        return new Learner(image);
    }

    /// A learner that has the model's knowledge and never learns more: for forecasts, in which
    /// events are invented. Several may share one model, on one thread.
    public static Learner knowing(RuntimeModel model) {
        return new Learner(LearnerImage.NOTHING, model, false);
    }

    public LearnerImage image() {
        return new LearnerImage(
                book.retention(), explorationCounts, book.pairs(), book.slowdowns(), model.image());
    }

    /// Learns from an event that the ledger has recorded, together with the ledger's record of its
    /// job.
    public void apply(Event event, ClusterView cluster) {
        apply(event);
        if (learns) {
            RuntimeObserver.observe(event, cluster, model);
        }
    }

    /// Learns from the event alone; most events teach nothing.
    public void apply(Event event) {
        if (!learns) {
            return;
        }
        switch (event) {
            case Event.Observed e -> book.observed(e);
            case Event.Scored e ->
                    explorationCounts =
                            explorationCounts.and(e.total(), e.explored()).reserving(e.reserved());
            case Event.RetentionChanged e -> book.retain(e.pairs());
            case Event.Imported e -> book.imported(e.runtimes(), e.slowdowns());
            default -> {}
        }
    }

    /// The best available model of runtimes.
    public RuntimeModel model() {
        return model;
    }

    /// Runtimes by kind of job and GPU model, with the fixed assumptions that `/v1/score`
    /// documents.
    public ObservationTable book() {
        return book;
    }

    /// The counts of score requests.
    public ExplorationCounts explorationCounts() {
        return explorationCounts;
    }

    /// 0 as long as nothing was learned, so that journals from before learning keep their digests.
    public long digest() {
        long counted =
                explorationCounts.total() == 0
                        ? 0
                        : Digest.mix(
                                Digest.mix(1, explorationCounts.total()),
                                explorationCounts.explored());
        long kept = book.retention() == RETENTION ? 0 : Digest.mix(2, book.retention());
        long ahead =
                explorationCounts.reserved() == 0 ? 0 : Digest.mix(3, explorationCounts.reserved());
        return book.digest() ^ counted ^ kept ^ ahead;
    }
}
